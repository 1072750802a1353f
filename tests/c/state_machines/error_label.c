// Failure by reaching the label ERROR: one that can be reached and code that cannot.
#include <pthread.h>
#include <assert.h>

int command;

void *controller(void *unused) {
    command = 2;
    return 0;
}

int main(void) {
    pthread_t t;
    int seen;
    pthread_create(&t, 0, controller, 0);
    seen = command;
    if (seen < 0) {
        reach_error(); // UNREACHABLE
    }
    assert(seen <= 2); // SAFE
    if (seen == 2) goto ERROR;
    return 0;
ERROR: return 1; // UNSAFE!
}
