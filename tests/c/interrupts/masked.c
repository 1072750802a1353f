// An interrupt handler runs at any time unless it is masked; it runs to its end without preemption.
#include <pthread.h>
#include <assert.h>

int masked;
int port, log_port;

void __VERIFIER_atomic_handler(void) {
    if (!masked) {
        port = 0;
        log_port = 0;
    }
}

void *interrupts(void *unused) {
    while (1) __VERIFIER_atomic_handler();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, interrupts, 0);
    while (1) {
        masked = 1;
        port = 5;
        assert(port == 5); // SAFE
        assert(masked == 1); // SAFE
        masked = 0;
        log_port = 1;
        assert(log_port == 1); // UNSAFE!
        assert(log_port >= 0); // SAFE
    }
    return 0;
}
