// ARGS: --properties assertion,data-race
// A spin lock for readers and writers in one atomic word: the high bit is the writer's.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WRITER 0x1000
static atomic_int word;
static int lo = 0, hi = 10; // SAFE

static void read_lock(void) {
    for (;;) {
        int w = atomic_load(&word);
        if (w < WRITER && atomic_compare_exchange_weak(&word, &w, w + 1))
            return;
    }
}
static void read_unlock(void) { atomic_fetch_sub(&word, 1); }
static void write_lock(void) {
    int zero = 0;
    while (!atomic_compare_exchange_weak(&word, &zero, WRITER))
        zero = 0;
}
static void write_unlock(void) { atomic_fetch_sub(&word, WRITER); }

static void *reader(void *arg) {
    for (int i = 0; i < 3; i++) {
        read_lock();
        assert(hi - lo == 10); // SAFE
        read_unlock();
    }
    return 0;
}

static void *writer(void *arg) {
    for (int i = 0; i < 3; i++) {
        write_lock();
        lo++;
        assert(hi - lo == 9); // SAFE
        hi++;
        write_unlock();
    }
    return 0;
}

int main(void) {
    pthread_t r1, r2, w1;
    pthread_create(&r1, 0, reader, 0);
    pthread_create(&r2, 0, reader, 0);
    pthread_create(&w1, 0, writer, 0);
    pthread_join(r1, 0);
    pthread_join(r2, 0);
    pthread_join(w1, 0);
    assert(atomic_load(&word) == 0); // SAFE
    assert(hi == 13); // SAFE
    return 0;
}
