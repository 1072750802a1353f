// A lock made of an atomic flag protects a buffer whose slots are free or filled.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

atomic_flag busy = ATOMIC_FLAG_INIT;
int filled, empty = 8;

static void enter(void) {
    while (atomic_flag_test_and_set(&busy))
        ;
}

void *producer(void *unused) {
    enter();
    if (empty > 0) {
        empty--;
        filled++;
    }
    assert(filled + empty == 8); // SAFE (needs octagon)
    atomic_flag_clear(&busy);
    return 0;
}

void *consumer(void *unused) {
    int wanted = 3;
    enter();
    if (filled >= wanted) {
        filled -= wanted;
        empty += wanted;
    }
    assert(filled >= 0 && empty <= 8); // SAFE (needs octagon)
    atomic_flag_clear(&busy);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++) {
        pthread_create(&thread, 0, producer, 0);
        pthread_create(&thread, 0, consumer, 0);
    }
    return 0;
}
