// For each thread an object from the heap, whose address only that thread is given: neither sees the other's.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct job { int begin, end, done; };

static void *run(void *given) {
    struct job *j = given;
    assert(j->begin <= j->end); // SAFE
    for (j->done = 0; j->done < j->end - j->begin; j->done++)
        ;
    assert(j->done == j->end - j->begin); // SAFE
    free(j);
    return 0;
}

static int start(pthread_t *t, int begin, int end) {
    struct job *j = malloc(sizeof *j);
    if (j == 0)
        return 1;
    j->begin = begin;
    j->end = end;
    assert(j->end == end); // SAFE
    return pthread_create(t, 0, run, j);
}

int main(void) {
    pthread_t a, b;
    if (start(&a, 0, 4) || start(&b, 4, 9))
        return 1;
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
