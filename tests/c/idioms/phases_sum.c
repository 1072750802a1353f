// ARGS: --properties assertion,data-race
// Three threads add their part, meet, one makes the total, all meet again and read it.
#include <assert.h>
#include <pthread.h>

static int part[3]; // SAFE
static int total; // SAFE
static pthread_barrier_t meet;

static void *adder(void *arg) {
    long id = (long)arg;
    part[id] = (int)id + 1;
    pthread_barrier_wait(&meet);
    if (id == 0)
        total = part[0] + part[1] + part[2];
    pthread_barrier_wait(&meet);
    assert(total == 6); // SAFE (needs sums behind a second barrier)
    return 0;
}

int main(void) {
    pthread_t t[3];
    pthread_barrier_init(&meet, 0, 3);
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, adder, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(total == 6); // SAFE
    assert(total < 6); // UNSAFE!
    return 0;
}
