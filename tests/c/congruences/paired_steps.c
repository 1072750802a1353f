// The total moves by four under the lock, so it is a multiple of four whenever the lock is free.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int total;

void *adder(void *unused) {
    int i;
    for (i = 0; i < 50; i++) {
        pthread_mutex_lock(&lock);
        if (total < 100)
            total = total + 4;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    int seen;
    pthread_create(&a, 0, adder, 0);
    pthread_create(&b, 0, adder, 0);
    pthread_mutex_lock(&lock);
    seen = total;
    assert(seen % 4 == 0); // SAFE
    assert((seen & 3) == 0); // SAFE
    assert(seen != 42); // SAFE
    assert(seen <= 100); // SAFE
    assert(seen % 8 == 0); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}
