// ARGS: --properties assertion,data-race
// trylock: who has it is alone; who has it not counts a miss of its own.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside, entries; // SAFE
static void *visitor(void *arg) {
    int misses = 0, hits = 0;
    for (int i = 0; i < 50; i++) {
        int rc = pthread_mutex_trylock(&m);
        if (rc == 0) {
            assert(inside == 0); // SAFE
            inside = 1;
            entries++;
            hits++;
            assert(pthread_mutex_trylock(&m) == EBUSY); // SAFE
            assert(inside == 1); // SAFE
            assert(entries >= hits); // SAFE
            inside = 0;
            pthread_mutex_unlock(&m);
        } else {
            assert(rc == EBUSY); // SAFE
            misses++;
        }
        assert(hits + misses == i + 1); // SAFE
    }
    assert(hits + misses == 50); // SAFE
    assert(hits > 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, visitor, 0);
    pthread_create(&b, 0, visitor, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(entries <= 100); // SAFE
    assert(inside == 0); // SAFE
    return 0;
}
