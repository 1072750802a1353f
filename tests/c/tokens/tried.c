// What one holds cannot be taken again by trying: the mutex is a plain one. Once it is given back, trying may work.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int owned;

static void *thief(void *unused) {
    if (pthread_mutex_trylock(&lock) == 0) {
        assert(owned == 0); // SAFE
        owned = 1;
        assert(owned == 1); // SAFE
        owned = 0;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *holder(void *unused) {
    pthread_mutex_lock(&lock);
    owned = 1;
    int again = pthread_mutex_trylock(&lock);
    assert(again != 0); // SAFE
    assert(owned == 1); // SAFE
    owned = 0;
    pthread_mutex_unlock(&lock);
    int later = pthread_mutex_trylock(&lock);
    __goblint_check(later == 0); // UNSAFE!
    if (later == 0)
        pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thief, 0);
    pthread_create(&b, 0, holder, 0);
    return 0;
}
