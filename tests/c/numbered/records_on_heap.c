// ARGS: --properties assertion,array-bounds
// Records on the heap, as many as there are threads, of which each thread is given one; where main counts one too many,
// the last thread is given what is behind the last record.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct record { int number, twice; char name[24]; };

static int threads;
static struct record *all;
static int *marks;

static void *work(void *given) {
    struct record *own = given;
    own->twice = own->number + own->number; // SAFE
    own->name[0] = 'w'; // SAFE
    return NULL;
}

static void *mark(void *given) {
    int *own = given;
    *own = 1; // SAFE
    return NULL;
}

static void *last(void *given) {
    int *own = given;
    int seen = *own; // UNKNOWN (false: the last thread is given what is behind the last mark)
    return seen ? given : NULL;
}

int main(void) {
    pthread_t created;
    threads = rand() % 8 + 1;
    all = calloc(threads, sizeof *all);
    marks = malloc(sizeof(int) * threads);
    if (all == NULL || marks == NULL)
        return 1;
    for (int i = 0; i < threads; i++)
        all[i].number = i; // SAFE
    for (int i = 0; i < threads; i++)
        pthread_create(&created, NULL, work, &all[i]);
    for (int *it = marks; it < marks + threads; it++)
        pthread_create(&created, NULL, mark, it);
    for (int i = 0; i <= threads; i++)
        pthread_create(&created, NULL, last, marks + i);
    return 0;
}
