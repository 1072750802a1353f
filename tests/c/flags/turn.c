// Two threads hand a buffer to each other by a turn flag, for ever.
#include <pthread.h>
#include <assert.h>

volatile int turn; /* 0: painter, 1: cleaner */
int canvas;

void *painter(void *unused) {
    while (1) {
        while (turn != 0) ;
        canvas = 3;
        assert(canvas == 3); // SAFE
        assert(turn == 0); // SAFE
        turn = 1;
        assert(canvas == 3); // UNSAFE!
    }
    reach_error(); // UNREACHABLE
    return 0;
}

void *cleaner(void *unused) {
    while (1) {
        while (turn != 1) ;
        canvas = 0;
        assert(canvas == 0); // SAFE
        assert(turn == 1); // SAFE
        turn = 0;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, painter, 0);
    pthread_create(&b, 0, cleaner, 0);
    pthread_join(a, 0);
    reach_error(); // UNREACHABLE
    return 0;
}
