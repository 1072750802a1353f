// ARGS: --properties assertion,array-bounds,data-race
// A pool of workers with a ring of jobs; negative jobs end the workers.
#include <assert.h>
#include <pthread.h>

#define SLOTS 4
#define WORKERS 3
#define JOBS 10

static int ring[SLOTS];
static int head, tail, used; // SAFE
static int completed, stopped; // SAFE
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void put(int job) {
    pthread_mutex_lock(&m);
    while (used == SLOTS)
        pthread_cond_wait(&not_full, &m);
    ring[tail] = job; // SAFE
    tail = (tail + 1) % SLOTS;
    used++;
    assert(used >= 1 && used <= SLOTS); // SAFE
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&m);
}

static int get(void) {
    pthread_mutex_lock(&m);
    while (used == 0)
        pthread_cond_wait(&not_empty, &m);
    int job = ring[head]; // SAFE
    head = (head + 1) % SLOTS;
    used--;
    assert((tail - head - used + SLOTS) % SLOTS == 0); // UNKNOWN (more than there are steps for)
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&m);
    return job;
}

static void *worker(void *unused) {
    int mine = 0;
    for (;;) {
        int job = get();
        if (job < 0)
            break;
        assert(job >= 1 && job <= JOBS); // UNKNOWN (what is in a ring that several empty)
        mine++;
    }
    pthread_mutex_lock(&m);
    completed += mine;
    stopped++;
    assert(stopped <= WORKERS); // SAFE
    assert(completed <= JOBS); // UNKNOWN (who takes what is in a ring)
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t t[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 1; i <= JOBS; i++)
        put(i);
    for (int i = 0; i < WORKERS; i++)
        put(-1);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], 0);
    assert(stopped == WORKERS); // SAFE
    assert(completed == JOBS); // UNKNOWN (who takes what is in a ring)
    assert(used == 0); // UNKNOWN (who takes what is in a ring)
    assert(head == tail); // SAFE
    return 0;
}
