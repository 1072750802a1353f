// A ring of four places with two semaphores and a mutex for each end.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define SLOTS 4
#define ITEMS 20

extern int __VERIFIER_nondet_int(void);

static int ring[SLOTS];
static sem_t empty, full;
static int in, out;
static pthread_mutex_t ends = PTHREAD_MUTEX_INITIALIZER;
static int puts, gets;

static void put(int v) {
    sem_wait(&empty);
    pthread_mutex_lock(&ends);
    assert(in >= 0 && in < SLOTS); // SAFE
    ring[in] = v;
    in = (in + 1) % SLOTS;
    puts++;
    assert(puts - gets <= SLOTS); // SAFE
    pthread_mutex_unlock(&ends);
    sem_post(&full);
}

static int get(void) {
    sem_wait(&full);
    pthread_mutex_lock(&ends);
    int v = ring[out];
    out = (out + 1) % SLOTS;
    gets++;
    assert(gets <= puts); // SAFE
    assert(v > 0); // UNKNOWN (what is in a ring between two ends)
    if (__VERIFIER_nondet_int())
        assert(v < ITEMS); // UNSAFE!
    pthread_mutex_unlock(&ends);
    sem_post(&empty);
    return v;
}

static void *producer(void *arg) {
    for (int i = 1; i <= ITEMS; i++)
        put(i);
    return arg;
}

static void *consumer(void *arg) {
    int n = 0;
    for (int i = 0; i < ITEMS; i++) {
        int v = get();
        assert(v <= ITEMS); // SAFE
        n++;
    }
    assert(n == ITEMS); // SAFE
    return arg;
}

int main(void) {
    pthread_t p, c;
    int left;
    sem_init(&empty, 0, SLOTS);
    sem_init(&full, 0, 0);
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    assert(puts == ITEMS && gets == ITEMS); // SAFE
    assert(in == out); // SAFE
    sem_getvalue(&full, &left);
    assert(left == 0); // SAFE
    return 0;
}
