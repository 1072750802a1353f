// A hand-made lock: waiting and taking in one atomic step.
#include <pthread.h>
#include <assert.h>

int held;
int vault, lobby;

static void take(void) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(held == 0);
    held = 1;
    __VERIFIER_atomic_end();
}

static void give(void) { held = 0; }

void *guest(void *unused) {
    take();
    vault = 1;
    assert(vault == 1); // SAFE
    assert(held == 1); // SAFE
    vault = 0;
    give();
    lobby = 1;
    assert(lobby == 1); // UNSAFE!
    lobby = 0;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, guest, 0);
    pthread_create(&b, 0, guest, 0);
    return 0;
}
