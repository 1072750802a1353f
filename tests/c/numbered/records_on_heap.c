// ARGS: --properties assertion,array-bounds
// Records on the heap, as many as there are threads, of which each thread is given one.
#include <pthread.h>
#include <stdlib.h>

struct record { int number, twice; char name[24]; };

static int threads;
static struct record *all;

static void *work(void *given) {
    struct record *own = given;
    own->twice = own->number + own->number; // SAFE
    own->name[0] = 'w'; // SAFE
    return NULL;
}

int main(void) {
    pthread_t created;
    threads = rand() % 8 + 1;
    all = calloc(threads, sizeof *all);
    if (all == NULL)
        return 1;
    for (int i = 0; i < threads; i++)
        all[i].number = i; // SAFE
    for (int i = 0; i < threads; i++)
        pthread_create(&created, NULL, work, &all[i]);
    return 0;
}
