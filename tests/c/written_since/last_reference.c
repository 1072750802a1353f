// atomic reference count: who takes it to 0 is the last.
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
static atomic_int refs = 3; static int destroyed;
static void drop(void) {
    int old = atomic_fetch_sub(&refs, 1);
    assert(old >= 1); // SAFE
    if (old == 1) {
        destroyed++;
        assert(destroyed == 1); // SAFE
    }
}
static void *t(void *a) { drop(); return a; }
int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, t, 0); pthread_create(&y, 0, t, 0);
    drop();
    pthread_join(x, 0); pthread_join(y, 0);
    assert(refs == 0); // SAFE
    assert(destroyed == 1); // SAFE
    return 0;
}
