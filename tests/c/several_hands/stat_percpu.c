// ARGS: --properties assertion,array-bounds,data-race
// Counters per processor, each under a lock of its own; the reader locks one after the other.
#include <assert.h>
#include <pthread.h>

#define CPUS 2
static struct percpu { pthread_mutex_t lock; unsigned hits, misses, lookups; } cpu[CPUS] = {
    {PTHREAD_MUTEX_INITIALIZER}, {PTHREAD_MUTEX_INITIALIZER}};

static void account(int c, int hit) {
    struct percpu *p = &cpu[c];
    pthread_mutex_lock(&p->lock);
    p->lookups++;
    if (hit)
        p->hits++;
    else
        p->misses++;
    assert(p->hits + p->misses == p->lookups); // SAFE
    pthread_mutex_unlock(&p->lock);
}

static void *run(void *arg) {
    int c = (int)(long)arg;
    for (int i = 0; i < 10; i++)
        account(c, i % 3);
    return 0;
}

static void *reader(void *arg) {
    unsigned hits = 0, all = 0;
    for (int c = 0; c < CPUS; c++) {
        pthread_mutex_lock(&cpu[c].lock);
        assert(cpu[c].hits <= cpu[c].lookups); // SAFE
        hits += cpu[c].hits;
        all += cpu[c].lookups;
        pthread_mutex_unlock(&cpu[c].lock);
    }
    assert(hits <= all); // UNKNOWN (what several have found together)
    assert(all <= 40); // SAFE
    return 0;
}

int main(void) {
    pthread_t t[4], r;
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, run, (void *)(long)(i % CPUS));
    pthread_create(&r, 0, reader, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    pthread_join(r, 0);
    assert(cpu[0].lookups == 20); // SAFE
    assert(cpu[0].lookups + cpu[1].lookups == 40); // SAFE
    assert(cpu[0].hits + cpu[0].misses == 20); // SAFE
    return 0;
}
