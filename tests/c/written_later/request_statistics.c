// Each thread counts for itself what it serves; main adds that up when all have ended.
#include <assert.h>
#include <pthread.h>

#define THREADS 3
#define REQUESTS 5
extern int __VERIFIER_nondet_int(void);

struct statistics { int served, failed, slowest; };
static struct statistics statistics[THREADS];

static void serve(struct statistics *s) {
    int time = __VERIFIER_nondet_int();
    if (time < 0 || time > 1000) {
        s->failed++;
        return;
    }
    s->served++;
    if (time > s->slowest)
        s->slowest = time;
    assert(s->slowest >= time); // SAFE
}

static void *thread(void *argument) {
    struct statistics *mine = argument;
    for (int i = 0; i < REQUESTS; i++) {
        serve(mine);
        assert(mine->served + mine->failed == i + 1); // SAFE
    }
    assert(mine->served + mine->failed == REQUESTS); // SAFE
    assert(mine->slowest >= 0 && mine->slowest <= 1000); // SAFE
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    int served = 0, failed = 0, slowest = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, thread, &statistics[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
        served += statistics[i].served;
        failed += statistics[i].failed;
        if (statistics[i].slowest > slowest)
            slowest = statistics[i].slowest;
    }
    assert(served >= 0 && failed >= 0); // SAFE
    assert(served + failed == THREADS * REQUESTS); // SAFE
    assert(slowest <= 1000); // SAFE
    __goblint_check(served > 0); // UNSAFE!
    return 0;
}
