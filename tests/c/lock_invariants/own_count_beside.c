// What one thread counts for itself, in a loop in which it also counts under a lock, is not related to what is there.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_full;
static int puts, gets, odd;

static void *giver(void *unused) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&lock);
        if (!is_full) {
            is_full = true;
            puts++;
            assert(puts == gets + 1); // SAFE
        }
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *taker(void *unused) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&lock);
        if (is_full) {
            is_full = false;
            gets++;
        }
        assert(puts == gets); // SAFE
        pthread_mutex_unlock(&lock);
        if (i % 2)
            odd++;
        __goblint_check(puts == gets); // UNSAFE!
    }
    assert(odd >= 0); // SAFE
    return 0;
}

int main(void) {
    pthread_t g, t;
    pthread_create(&g, 0, giver, 0);
    pthread_create(&t, 0, taker, 0);
    pthread_mutex_lock(&lock);
    assert(puts - gets == is_full); // SAFE
    pthread_mutex_unlock(&lock);
    pthread_join(g, 0);
    pthread_join(t, 0);
    return 0;
}
