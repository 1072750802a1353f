/* Structures that are loaded, stored and exchanged in one step: their members are always of one write. */
#include <assert.h>
#include <pthread.h>

struct pair {
    int first, second;
};

static struct pair shared;

static void *work(void *unused) {
    struct pair ones = {1, 1}, seen = {0, 0};
    __atomic_store(&shared, &ones, __ATOMIC_SEQ_CST);
    struct pair twos = {2, 2};
    __atomic_exchange(&shared, &twos, &seen, __ATOMIC_SEQ_CST);
    assert(seen.first == seen.second); // SAFE
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    struct pair seen;
    __atomic_load(&shared, &seen, __ATOMIC_SEQ_CST);
    assert(seen.first == seen.second); // SAFE
    assert(seen.first == 0);           // UNSAFE!
    return 0;
}
