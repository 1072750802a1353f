// ARGS: --properties assertion,array-bounds
// Producer/consumer with a sentinel of -1, over a pair of semaphores.
#include <semaphore.h>
#include <pthread.h>
#include <assert.h>
static int chan[4]; static int wi, ri; static sem_t items, spaces;
static void send(int v) { sem_wait(&spaces); chan[wi] = v; wi = (wi + 1) % 4; sem_post(&items); } // SAFE
static int recv(void) { sem_wait(&items); int v = chan[ri]; ri = (ri + 1) % 4; sem_post(&spaces); return v; } // SAFE
static void *p(void *a) { for (int i = 1; i <= 9; i++) send(i); send(-1); return a; }
static void *c(void *a) {
    int *best = a, v;
    while ((v = recv()) != -1) {
        assert(v > 0); // UNKNOWN (what is in a ring)
        assert(v <= 9); // SAFE
        if (v > *best) *best = v;
    }
    return 0;
}
int main(void) {
    pthread_t x, y; int best = 0;
    sem_init(&items, 0, 0); sem_init(&spaces, 0, 4);
    pthread_create(&x, 0, p, 0); pthread_create(&y, 0, c, &best);
    pthread_join(x, 0); pthread_join(y, 0);
    assert(best >= 0 && best <= 9); // SAFE
    assert(wi == ri); // UNKNOWN (what is in a ring)
    return 0;
}
