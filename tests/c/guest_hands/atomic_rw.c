// A read/write lock out of atomic sections, as verification benchmarks have it.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(), __VERIFIER_atomic_end();

static int readers, writer;
static int x, y;

static void write_lock(void) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(writer == 0 && readers == 0);
    writer = 1;
    __VERIFIER_atomic_end();
}

static void read_lock(void) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(writer == 0);
    readers++;
    __VERIFIER_atomic_end();
}

static void read_unlock(void) {
    __VERIFIER_atomic_begin();
    readers--;
    __VERIFIER_atomic_end();
}

static void *write(void *arg) {
    int v = (int)(long)arg;
    write_lock();
    assert(readers == 0); // SAFE
    x = v;
    y = -v;
    assert(x == v); // SAFE
    assert(x + y == 0); // SAFE
    writer = 0;
    return 0;
}

static void *read(void *unused) {
    read_lock();
    int a = x;
    assert(writer == 0); // SAFE
    assert(readers >= 1); // SAFE
    assert(a == x); // SAFE
    assert(a + y == 0); // UNKNOWN (what is proved by cubes backwards alone)
    assert(a >= 0 && a <= 9); // SAFE
    read_unlock();
    return unused;
}

int main(void) {
    pthread_t t[4];
    pthread_create(&t[0], 0, write, (void *)4);
    pthread_create(&t[1], 0, write, (void *)9);
    pthread_create(&t[2], 0, read, 0);
    pthread_create(&t[3], 0, read, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(readers == 0 && writer == 0); // SAFE
    assert(x == 4 || x == 9); // SAFE
    assert(x == 9); // UNSAFE!
    return 0;
}
