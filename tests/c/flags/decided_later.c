// A flag is read into a local, and what the thread does next depends on the local.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

int ready, message, late;
atomic_int state, claimed;
int shown;

int is_ready(void) { return ready; }

void *publisher(void *unused) {
    message = 99;
    ready = 1;
    late = 5;
    atomic_store(&state, 7);
    return 0;
}

void *waits(void *unused) {
    int seen;
    do { seen = ready; } while (!seen);
    assert(message == 99); // SAFE
    assert(late == 5); // UNSAFE!
    return 0;
}

void *looks_once(void *unused) {
    int seen = ready;
    int next = seen + 1;
    if (next == 2) assert(message == 99); // SAFE
    else assert(message == 0); // UNSAFE!
    return 0;
}

void *asks(void *unused) {
    if (is_ready()) assert(message == 99); // SAFE
    int now;
    while (now = is_ready(), !now) ;
    assert(message == 99); // SAFE
    return 0;
}

void *by_state(void *unused) {
    switch (atomic_load(&state)) {
    case 0: break;
    case 7: assert(late == 5); break; // SAFE
    default: assert(0); // UNREACHABLE
    }
    return 0;
}

void *claims(void *unused) {
    int before = atomic_fetch_add(&claimed, 1);
    if (before == 0) {
        shown = 3;
        assert(shown == 3); // SAFE
        shown = 0;
    }
    int taken = atomic_exchange(&state, 0);
    if (taken == 7) assert(message == 99); // SAFE
    return 0;
}

int main(void) {
    pthread_t p, a, b, c, d, e, f;
    pthread_create(&p, 0, publisher, 0);
    pthread_create(&a, 0, waits, 0);
    pthread_create(&b, 0, looks_once, 0);
    pthread_create(&c, 0, asks, 0);
    pthread_create(&d, 0, by_state, 0);
    pthread_create(&e, 0, claims, 0);
    pthread_create(&f, 0, claims, 0);
    return 0;
}
