// Dekker's algorithm: stepping back when it is the other one's turn.
#include <pthread.h>
#include <assert.h>

volatile int in_p, in_q, favoured; /* favoured: 0 is p, 1 is q */
int shared_cell;

void *p(void *unused) {
    in_p = 1;
    while (in_q) {
        if (favoured != 0) {
            in_p = 0;
            while (favoured != 0) ;
            in_p = 1;
        }
    }
    assert(in_p == 1); // SAFE
    shared_cell = 1;
    assert(shared_cell == 1); // SAFE
    favoured = 1;
    in_p = 0;
    return 0;
}

void *q(void *unused) {
    in_q = 1;
    while (in_p) {
        if (favoured != 1) {
            in_q = 0;
            while (favoured != 1) ;
            in_q = 1;
        }
    }
    shared_cell = 2;
    assert(shared_cell == 2); // SAFE
    favoured = 0;
    in_q = 0;
    assert(shared_cell == 2); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, p, 0);
    pthread_create(&b, 0, q, 0);
    return 0;
}
