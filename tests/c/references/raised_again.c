// ARGS: --properties assertion
// A thread takes a reference anew when it has given back its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int refs = 2;
static int value = 5;

static void put(void) {
    if (atomic_fetch_sub(&refs, 1) == 1)
        value = 0;
}

static void *again(void *unused) {
    put();
    atomic_fetch_add(&refs, 1);
    assert(value == 5); // UNSAFE!
    put();
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, again, 0);
    put();
    pthread_join(a, 0);
    return 0;
}
