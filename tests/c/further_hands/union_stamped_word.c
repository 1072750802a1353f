// A pair of a stamp and a value in one atomic word, as lock-free code has it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

union word {
    uint32_t whole;
    struct {
        uint16_t value, stamp;
    };
};

static _Atomic uint32_t cell;

static int try_set(uint16_t v) {
    union word old, fresh;
    old.whole = atomic_load(&cell);
    if (old.stamp == 1000)
        return 0;
    fresh.value = v;
    fresh.stamp = old.stamp + 1;
    assert(fresh.whole >> 16 == old.stamp + 1u); // SAFE
    assert((fresh.whole & 0xffff) == v); // SAFE
    return atomic_compare_exchange_strong(&cell, &old.whole, fresh.whole);
}

static void *setter(void *arg) {
    int done = 0;
    for (int i = 0; i < 10; i++)
        done += try_set(i < 5 ? 7 : 9);
    assert(done <= 10); // SAFE
    return arg;
}

static void *watcher(void *arg) {
    uint16_t seen = 0;
    for (int i = 0; i < 4; i++) {
        union word w = {.whole = atomic_load(&cell)};
        assert(w.value == 0 || w.value == 7 || w.value == 9); // SAFE
        assert(w.stamp >= seen); // UNKNOWN (a part of a word that is only raised)
        assert(w.stamp <= 1000); // SAFE
        assert(w.stamp != 2); // UNSAFE!
        assert(w.stamp > 0 || w.value == 0); // UNKNOWN (a part of a word where another one is zero)
        seen = w.stamp;
    }
    return arg;
}

int main(void) {
    pthread_t a, b, w;
    pthread_create(&a, 0, setter, 0);
    pthread_create(&b, 0, setter, 0);
    pthread_create(&w, 0, watcher, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(w, 0);
    union word end = {.whole = cell};
    assert(end.stamp <= 20); // SAFE
    assert(end.value != 0 || end.stamp == 0); // SAFE
    return 0;
}
