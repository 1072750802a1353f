// A spin lock by atomic exchange, and one that is released by a thread that may not hold it.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

atomic_int taken;
atomic_int broken;
int record, page;

void *writer(void *unused) {
    while (atomic_exchange(&taken, 1) != 0) ;
    record = 2;
    assert(record == 2); // SAFE
    record = 0;
    atomic_store(&taken, 0);

    if (atomic_exchange(&broken, 1) == 0) {
        page = 1;
        assert(page == 1); // UNSAFE!
        page = 0;
    }
    atomic_store(&broken, 0);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_create(&c, 0, writer, 0);
    assert(page <= 1); // SAFE
    return 0;
}
