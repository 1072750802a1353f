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
    assert(a->used <= CAP); // UNKNOWN (members of what a key keeps)
    pthread_mutex_lock(&count_lock);
    dropped++;
    assert(dropped <= made); // UNKNOWN (members of what a key keeps)
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
    assert(a->used > at && a->used <= CAP); // UNKNOWN (members of what a key keeps)
    return at;
}

static void *parser(void *arg) {
    int first = alloc(16);
    assert(first == 0); // UNKNOWN (members of what a key keeps)
    int second = alloc(40);
    assert(second == 16); // UNKNOWN (members of what a key keeps)
    arena()->marks++;
    assert(arena()->marks == 1); // UNKNOWN (members of what a key keeps)
    int third = alloc(100);
    assert(third == -1); // UNKNOWN (members of what a key keeps)
    return arg;
}

int main(void) {
    pthread_t t[3];
    pthread_key_create(&arena_key, drop_arena);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, parser, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(made == 3); // UNKNOWN (members of what a key keeps)
    assert(dropped == made); // UNKNOWN (members of what a key keeps)
    return 0;
}
