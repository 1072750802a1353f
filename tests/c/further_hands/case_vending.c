// A vending machine as a state machine: idle, paid, serving, out of order.
#include <assert.h>
#include <pthread.h>

enum state { IDLE, PAID, SERVING, BROKEN };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static enum state state = IDLE;
static int credit, served, paid, cups = 2;

static void *customer(void *u) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&m);
        if (state == IDLE && cups > 0) {
            credit = 50;
            paid++;
            state = PAID;
        }
        assert(state != PAID || credit == 50); // SAFE
        assert(cups >= 0); // SAFE
        pthread_mutex_unlock(&m);
    }
    return u;
}

static void *machine(void *u) {
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&m);
        switch (state) {
        case PAID:
            assert(credit == 50); // SAFE
            credit = 0;
            state = SERVING;
            break;
        case SERVING:
            assert(credit == 0); // SAFE
            assert(cups > 0); // SAFE
            cups--;
            served++;
            state = cups == 0 ? BROKEN : IDLE;
            break;
        case BROKEN:
            assert(cups == 0 && served == 2); // SAFE
            break;
        case IDLE:
            assert(credit == 0); // SAFE
            assert(paid == served); // SAFE
            break;
        }
        pthread_mutex_unlock(&m);
    }
    return u;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, customer, 0);
    pthread_create(&b, 0, customer, 0);
    pthread_create(&c, 0, machine, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(served <= 2); // SAFE
    assert(served + cups == 2); // SAFE
    assert(paid - served == (state == PAID || state == SERVING)); // SAFE
    assert(state == IDLE); // UNSAFE!
    return 0;
}
