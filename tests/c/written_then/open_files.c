// A budget of open descriptors that is counted by atomics: opening takes one or fails, closing gives it back.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define MOST 3
static atomic_int left = MOST;
static atomic_int opened, closed, refused;

static int open_one(void) {
    int seen = atomic_load(&left);
    while (seen > 0) {
        assert(seen <= MOST); // SAFE
        if (atomic_compare_exchange_weak(&left, &seen, seen - 1)) {
            atomic_fetch_add(&opened, 1);
            return 1;
        }
    }
    atomic_fetch_add(&refused, 1);
    return 0;
}

static void close_one(void) {
    int before = atomic_fetch_add(&left, 1);
    assert(before >= 0); // SAFE
    assert(before < MOST); // SAFE
    atomic_fetch_add(&closed, 1);
}

static void *user(void *unused) {
    int have = 0;
    have += open_one();
    have += open_one();
    assert(have >= 0 && have <= 2); // SAFE
    __goblint_check(have == 2); // UNSAFE!
    while (have > 0) {
        close_one();
        have--;
    }
    assert(have == 0); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    assert(atomic_load(&left) >= 0); // SAFE
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load(&left) == MOST); // SAFE
    assert(atomic_load(&opened) == atomic_load(&closed)); // SAFE
    assert(atomic_load(&opened) + atomic_load(&refused) == 4); // SAFE
    __goblint_check(atomic_load(&refused) == 1); // UNSAFE!
    return 0;
}
