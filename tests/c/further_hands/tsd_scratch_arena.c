// Each thread has an arena of its own behind a key, made at the first request; a destructor counts them.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define CAP 128

typedef struct Arena {
    int used;
    int marks;
    char bytes[CAP];
} Arena;

static pthread_key_t arena_key;
static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static int made, dropped;

static void drop_arena(void *p) {
    Arena *a = p;
    assert(a->used <= CAP); // SAFE
    pthread_mutex_lock(&count_lock);
    dropped++;
    assert(dropped <= made); // SAFE
    pthread_mutex_unlock(&count_lock);
    free(a);
}

static Arena *arena(void) {
    Arena *a = pthread_getspecific(arena_key);
    if (a == NULL) {
        a = calloc(1, sizeof(Arena));
        if (a == NULL)
            exit(1);
        pthread_mutex_lock(&count_lock);
        made++;
        pthread_mutex_unlock(&count_lock);
        pthread_setspecific(arena_key, a);
    }
    return a;
}

static int alloc(int n) {
    Arena *a = arena();
    if (n < 1 || n > CAP - a->used)
        return -1;
    int at = a->used;
    a->used += n;
    assert(a->used > at && a->used <= CAP); // SAFE
    return at;
}

static void *parser(void *arg) {
    int first = alloc(16);
    assert(first == 0); // SAFE
    int second = alloc(40);
    assert(second == 16); // SAFE
    arena()->marks++;
    assert(arena()->marks == 1); // SAFE
    int third = alloc(100);
    assert(third == -1); // SAFE
    return arg;
}

int main(void) {
    pthread_t t[3];
    pthread_key_create(&arena_key, drop_arena);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, parser, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(made == 3); // SAFE
    assert(dropped == made); // SAFE
    return 0;
}
