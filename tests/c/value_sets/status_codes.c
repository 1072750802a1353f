// A status that only ever is 0 or 42 is never 1, whoever reads it.
#include <pthread.h>
#include <assert.h>

int status, seen;

void *worker(void *unused) {
    status = 42;
    return 0;
}

void *watcher(void *unused) {
    seen = status;
    if (seen == 1)
        assert(0); // UNREACHABLE
    assert(seen == 0 || seen == 42); // SAFE
    assert(seen != 42); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, watcher, 0);
    return 0;
}
