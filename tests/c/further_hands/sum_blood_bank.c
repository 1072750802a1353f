// A blood bank: bags are stored, reserved, used and thrown away.
#include <assert.h>
#include <pthread.h>

#define SHELVES 30

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stored, reserved, used, wasted, donated;

static void *donor(void *arg) {
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&lock);
        if (stored + reserved < SHELVES) {
            stored++;
            donated++;
        }
        assert(stored + reserved + used + wasted == donated); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *surgeon(void *arg) {
    for (int i = 0; i < 6; i++) {
        int got = 0;
        pthread_mutex_lock(&lock);
        if (stored >= 2) {
            stored -= 2;
            reserved += 2;
            got = 1;
        }
        pthread_mutex_unlock(&lock);
        if (got) {
            pthread_mutex_lock(&lock);
            assert(reserved >= 2); // SAFE
            reserved -= 2;
            used++;
            wasted++;
            assert(used == wasted || wasted > used); // SAFE
            pthread_mutex_unlock(&lock);
        }
    }
    return arg;
}

static void *inspector(void *arg) {
    pthread_mutex_lock(&lock);
    if (stored > 0) {
        stored--;
        wasted++;
    }
    assert(stored >= 0 && reserved >= 0); // SAFE
    assert(stored + reserved <= SHELVES); // SAFE
    assert(wasted >= used); // SAFE
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t d[3], s[2], i;
    for (int k = 0; k < 3; k++)
        pthread_create(&d[k], 0, donor, 0);
    for (int k = 0; k < 2; k++)
        pthread_create(&s[k], 0, surgeon, 0);
    pthread_create(&i, 0, inspector, 0);
    for (int k = 0; k < 3; k++)
        pthread_join(d[k], 0);
    for (int k = 0; k < 2; k++)
        pthread_join(s[k], 0);
    pthread_join(i, 0);
    assert(donated <= 30); // SAFE
    assert(stored + reserved + used + wasted == donated); // SAFE
    assert(reserved == 0); // SAFE
    assert(wasted <= used + 1); // SAFE
    assert(wasted == used); // UNSAFE!
    return 0;
}
