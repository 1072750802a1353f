// The value returned and the path taken belong together.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
int heartbeat = 60;
int unchecked = 60;

static int set_heartbeat(int seconds) {
    if (seconds < 1 || seconds > 300) return -22;
    heartbeat = seconds;
    return 0;
}

void *client(void *unused) {
    int wish = __VERIFIER_nondet_int();
    if (set_heartbeat(wish) == 0) {
        assert(wish <= 300); // SAFE
        assert(wish >= 1); // SAFE
    } else {
        unchecked = wish;
    }
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, client, 0);
    if (set_heartbeat(600)) heartbeat = 30;
    assert(heartbeat >= 1); // SAFE
    assert(heartbeat <= 300); // SAFE
    assert(unchecked >= 0); // UNSAFE!
    return 0;
}
