// ARGS: --properties assertion,null-dereference,data-race
// Scratch memory of each thread, made when it is first asked for, and a count of all of it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct arena {
    int used, size;
};

static _Thread_local struct arena *mine;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int arenas, bytes; // SAFE

static int reserve(int n) {
    if (!mine) {
        struct arena *a = malloc(sizeof *a);
        if (!a)
            return -1;
        a->used = 0; // SAFE
        a->size = 100;
        mine = a;
        pthread_mutex_lock(&m);
        arenas++;
        assert(arenas <= 2); // SAFE
        pthread_mutex_unlock(&m);
    }
    if (mine->used + n > mine->size) // SAFE
        return -1;
    int at = mine->used;
    mine->used += n;
    assert(mine->used <= mine->size); // SAFE
    assert(at >= 0); // SAFE
    return at;
}

static void *work(void *arg) {
    int n = *(int *)arg, got = 0;
    for (int i = 0; i < 5; i++)
        if (reserve(n) >= 0)
            got += n;
    assert(got <= 5 * n); // SAFE
    if (mine) {
        assert(mine->size == 100); // SAFE
        assert(mine->used <= 100); // SAFE
        pthread_mutex_lock(&m);
        bytes += mine->used;
        assert(bytes <= 200); // SAFE
        pthread_mutex_unlock(&m);
        free(mine);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    int small = 7, large = 30;
    pthread_create(&a, 0, work, &small);
    pthread_create(&b, 0, work, &large);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(mine == NULL); // SAFE
    assert(bytes <= 125); // SAFE (35 and 90)
    assert(arenas <= 2); // SAFE
    assert(bytes == 126); // UNSAFE!
    return 0;
}
