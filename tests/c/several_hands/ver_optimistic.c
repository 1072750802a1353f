// ARGS: --properties assertion,data-race
// An update that is prepared outside of the lock and applied only if the version has not moved.
#include <assert.h>
#include <pthread.h>

static int version, data; // data == 3 * version, under the lock
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int update(void) {
    pthread_mutex_lock(&m);
    int v = version;
    int d = data;
    pthread_mutex_unlock(&m);

    int fresh = d + 3;
    assert(fresh == 3 * (v + 1)); // SAFE

    pthread_mutex_lock(&m);
    int ok = version == v;
    assert(version >= v); // SAFE
    if (ok) {
        assert(data == d); // SAFE
        data = fresh;
        version = v + 1;
    }
    assert(data == 3 * version); // SAFE
    pthread_mutex_unlock(&m);
    return ok;
}

static void *worker(void *arg) {
    int done = 0;
    for (int i = 0; i < 5; i++)
        done += update();
    assert(done <= 5); // SAFE
    assert(done == 5); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(data == 3 * version); // SAFE
    assert(version <= 10); // UNKNOWN (how often others succeed)
    return 0;
}
