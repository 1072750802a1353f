// ARGS: --properties data-race
/* Atomic operations on whole structures: what they take a value from, and put what they have seen in, is not atomic. */
#include <pthread.h>

struct pair {
    int first, second;
};

static struct pair shared;
static struct pair taken, loaded, wanted, given, stored;

static void *work(void *unused) {
    struct pair own = {1, 2}, seen;
    __atomic_load(&shared, &seen, __ATOMIC_SEQ_CST);
    __atomic_store(&shared, &own, __ATOMIC_SEQ_CST);
    __atomic_exchange(&shared, &own, &seen, __ATOMIC_SEQ_CST);
    __atomic_compare_exchange(&shared, &seen, &own, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);

    __atomic_exchange(&shared, &own, &taken, __ATOMIC_SEQ_CST);                                // UNSAFE!
    __atomic_load(&shared, &loaded, __ATOMIC_SEQ_CST);                                         // UNSAFE!
    __atomic_compare_exchange(&shared, &seen, &wanted, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); // UNSAFE!
    __atomic_store(&wanted, &own, __ATOMIC_SEQ_CST);                                           // UNSAFE!
    __atomic_exchange(&shared, &given, &seen, __ATOMIC_SEQ_CST);                               // UNSAFE!
    __atomic_store(&given, &own, __ATOMIC_SEQ_CST);                                            // UNSAFE!
    __atomic_store(&shared, &stored, __ATOMIC_SEQ_CST);                                        // UNSAFE!
    __atomic_store(&stored, &own, __ATOMIC_SEQ_CST);                                           // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
