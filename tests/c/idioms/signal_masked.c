// ARGS: --properties assertion
// Two signals whose handlers do not interrupt each other: each is in the other's mask.
#include <assert.h>
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t level, hits;

static void on_usr1(int s) {
    level++;
    assert(level == 1); // SAFE (needs handlers that do not interrupt each other)
    hits = 1;
    level--;
}

static void on_usr2(int s) {
    level++;
    assert(level == 1); // SAFE (needs handlers that do not interrupt each other)
    hits = 2;
    assert(hits == 2); // SAFE (needs handlers that do not interrupt each other)
    level--;
}

int main(void) {
    struct sigaction one, two;
    memset(&one, 0, sizeof one);
    memset(&two, 0, sizeof two);
    one.sa_handler = on_usr1;
    sigemptyset(&one.sa_mask);
    sigaddset(&one.sa_mask, SIGUSR2);
    two.sa_handler = on_usr2;
    sigemptyset(&two.sa_mask);
    sigaddset(&two.sa_mask, SIGUSR1);
    sigaction(SIGUSR1, &one, 0);
    sigaction(SIGUSR2, &two, 0);
    for (int i = 0; i < 100; i++) {
        raise(SIGUSR1);
        raise(SIGUSR2);
    }
    assert(level == 0); // SAFE (needs handlers that do not interrupt each other)
    assert(hits >= 0); // SAFE
    return 0;
}
