// ARGS: --properties data-race
// Threads draw numbers from counters, each number once: the elements that these tell are their own.
#include <pthread.h>
#include <stdatomic.h>

#define N 40
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int next, left = N, used; // SAFE
static unsigned pairs;           // SAFE
static atomic_int blocks, tries, again;
static int squares[N];   // SAFE
static int downwards[N]; // SAFE
static int four[N + 4];  // SAFE
static int twos[N + 2];  // SAFE
static int tried[N];     // SAFE
static int twice[N];     // SAFE
static struct entry {
    int number, length;
} entries[N]; // SAFE
static int *free_place = tried, places[N]; // SAFE

static struct entry *take(void) {
    struct entry *entry = 0;
    pthread_mutex_lock(&m);
    if (used < N)
        entry = &entries[used++];
    pthread_mutex_unlock(&m);
    return entry;
}

static void *worker(void *unused) {
    for (;;) {
        pthread_mutex_lock(&m);
        int i = next++;
        pthread_mutex_unlock(&m);
        if (i >= N)
            break;
        squares[i] = i * i;
    }
    for (;;) {
        pthread_mutex_lock(&m);
        int i = --left;
        pthread_mutex_unlock(&m);
        if (i < 0)
            break;
        downwards[i]++;
    }
    for (int i; (i = atomic_fetch_add(&blocks, 4)) < N;)
        for (int j = i; j < i + 4; j++)
            four[j]++;
    for (;;) {
        pthread_mutex_lock(&m);
        unsigned i = pairs;
        if (i < N)
            pairs = i + 2;
        pthread_mutex_unlock(&m);
        if (i >= N)
            break;
        twos[i] = 1;
        twos[i + 1] = 2;
    }
    for (;;) {
        int i = atomic_load(&tries);
        while (!atomic_compare_exchange_weak(&tries, &i, i + 1))
            ;
        if (i >= N)
            break;
        tried[i] = 1;
    }
    for (struct entry *entry; (entry = take());) {
        entry->number = 1;
        entry->length = entry->number;
    }
    return 0;
}

static void *second(void *unused) {
    for (int i; (i = atomic_fetch_add(&again, 1)) < N;)
        twice[i]++;
    return 0;
}

static void *by_place(void *unused) {
    for (;;) {
        pthread_mutex_lock(&m);
        int *place = free_place < places + N ? free_place++ : 0;
        pthread_mutex_unlock(&m);
        if (!place)
            return 0;
        *place = 1;
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_create(&a, 0, second, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    again = 0; // nobody has a number
    pthread_create(&a, 0, second, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free_place = places;
    pthread_create(&a, 0, by_place, 0);
    pthread_create(&b, 0, by_place, 0);
    return 0;
}
