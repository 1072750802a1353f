// ARGS: --properties data-race
// As many records on the heap as there are threads, and one for each: by index, by a pointer that moves, and with a
// lock for each record in an array beside it. Two threads of one pair have one record.
#include <pthread.h>
#include <stdlib.h>

struct record { int number, done; long sum; };

static int threads;
static struct record *by_index, *in_pairs;
static pthread_mutex_t *locks; // SAFE
static pthread_t created[64];

static void *count(void *given) {
    struct record *own = given;
    for (int i = 0; i < own->number; i++)
        own->sum += i;
    own->done = 1;
    return NULL;
}

static void *step(void *given) {
    struct record *own = given;
    own->done = 1;
    return NULL;
}

static void *locked(void *given) {
    struct record *own = given;
    pthread_mutex_lock(&locks[own->number]);
    own->done = 1;
    pthread_mutex_unlock(&locks[own->number]);
    return NULL;
}

static void *paired(void *given) {
    struct record *with_other = given;
    with_other->done = 1; // UNSAFE!
    return NULL;
}

static void start_by_index(void) {
    by_index = calloc(threads, sizeof *by_index); // SAFE
    if (by_index == NULL)
        exit(1);
    for (int i = 0; i < threads; i++)
        by_index[i].number = i;
    for (int i = 0; i < threads; i++)
        pthread_create(&created[i], NULL, count, &by_index[i]);
    for (int i = 0; i < threads; i++)
        pthread_join(created[i], NULL);
}

static void start_by_pointer(void) {
    struct record *all = malloc(threads * sizeof *all);
    if (all == NULL)
        exit(1);
    for (struct record *it = all; it < all + threads; it++) {
        pthread_t started;
        pthread_create(&started, NULL, step, it);
    }
}

static void start_with_locks(void) {
    struct record *all = malloc(threads * sizeof *all);
    locks = malloc(threads * sizeof *locks);
    if (all == NULL || locks == NULL)
        exit(1);
    for (int i = 0; i < threads; i++) {
        pthread_t started;
        all[i].number = i;
        pthread_mutex_init(&locks[i], NULL);
        pthread_create(&started, NULL, locked, &all[i]);
    }
}

static void start_pairs(void) {
    in_pairs = calloc(threads, sizeof *in_pairs);
    if (in_pairs == NULL)
        exit(1);
    for (int i = 0; i < threads; i++) {
        pthread_t started;
        pthread_create(&started, NULL, paired, &in_pairs[i / 2]);
    }
}

int main(void) {
    threads = 2 + rand() % 62;
    start_by_index();
    start_by_pointer();
    start_with_locks();
    start_pairs();
    return 0;
}
