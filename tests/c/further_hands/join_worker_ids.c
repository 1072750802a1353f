// Threads that are told who they are by a pointer, and answer with a structure from the heap.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct answer {
    int id, squares, is_main;
};

static pthread_t main_thread;
static int ids[4] = { 0, 1, 2, 3 };
static int steps[4];

static void *work(void *arg) {
    int me = *(int *)arg;
    assert(me >= 0 && me < 4); // SAFE
    struct answer *a = malloc(sizeof *a);
    if (a == NULL)
        return NULL;
    a->id = me;
    a->squares = me * me;
    a->is_main = pthread_equal(pthread_self(), main_thread) != 0;
    assert(!a->is_main); // SAFE
    for (int i = me; i < 4; i++)
        steps[me]++;
    assert(steps[me] == 4 - me); // UNKNOWN (loops with bounds that are given by a pointer)
    return a;
}

int main(void) {
    pthread_t t[4];
    int found = 0;
    main_thread = pthread_self();
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, work, &ids[i]);
    for (int i = 0; i < 4; i++) {
        struct answer *a;
        pthread_join(t[i], (void **)&a);
        if (a == NULL)
            continue;
        assert(a->id == i); // SAFE
        assert(a->squares == i * i); // SAFE
        assert(a->squares <= 9); // SAFE
        assert(a->is_main == 0); // SAFE
        found++;
        free(a);
    }
    assert(found <= 4); // SAFE
    assert(steps[0] == 4 || found < 4); // UNKNOWN (loops with bounds that are given by a pointer)
    assert(found < 4); // UNSAFE!
    return 0;
}
