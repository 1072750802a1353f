// Two threads in rounds: what one has set is there for the other one until the round is over.
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t bar;
static int x, y;
static void *left(void *u) {
    for (int i = 0; i < 3; i++) {
        x = i;
        pthread_barrier_wait(&bar);
        assert(y == i); // UNKNOWN (rounds between barriers)
        pthread_barrier_wait(&bar);
    }
    return 0;
}
static void *right(void *u) {
    for (int i = 0; i < 3; i++) {
        y = i;
        pthread_barrier_wait(&bar);
        assert(x == i); // UNKNOWN (rounds between barriers)
        pthread_barrier_wait(&bar);
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&bar, 0, 2);
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    assert(x == 2 && y == 2); // SAFE
    assert(x == y); // SAFE
    return 0;
}
