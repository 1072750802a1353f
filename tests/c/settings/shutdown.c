// An orderly shutdown: stop is asked for, workers finish, resources go away after the join.
#include <pthread.h>
#include <assert.h>

static volatile int stop;
static int device_on = 1, written, late;

static void *worker(void *unused) {
    while (!stop) {
        assert(device_on == 1); // SAFE
        if (written < 50) written++;
    }
    assert(written <= 50); // SAFE
    return 0;
}

static void *daemon_thread(void *unused) {
    for (int i = 0; i < 4; i++) {
        late = device_on;
        assert(device_on == 1); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, daemon_thread, 0);
    stop = 1;
    pthread_join(a, 0);
    device_on = 0;
    assert(device_on == 0); // SAFE
    assert(late >= 0 && late <= 1); // SAFE
    return 0;
}
