// Two deques as ranges [low, high): owners take at one end, a thief at the other, all under the victim's lock.
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER, lock_b = PTHREAD_MUTEX_INITIALIZER;
static int low_a, high_a = 8, low_b, high_b = 4;
static int stolen;

static void *owner_a(void *unused) {
    for (int i = 0; i < 8; i++) {
        int job = -1;
        pthread_mutex_lock(&lock_a);
        if (low_a < high_a) job = low_a++;
        assert(low_a <= high_a); // SAFE
        pthread_mutex_unlock(&lock_a);
        assert(job >= -1); // SAFE
        assert(job < 8); // SAFE (needs refinement)
    }
    return 0;
}

static void *thief(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock_a);
        if (low_a < high_a) {
            high_a--;
            stolen = stolen < 8 ? stolen + 1 : 8;
        }
        pthread_mutex_unlock(&lock_a);
        if (low_b < high_b) {
            pthread_mutex_lock(&lock_b);
            assert(low_b < high_b); // UNSAFE!
            low_b++;
            pthread_mutex_unlock(&lock_b);
        }
    }
    assert(stolen >= 0); // SAFE
    return 0;
}

static void *owner_b(void *unused) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&lock_b);
        if (low_b < high_b) low_b++;
        pthread_mutex_unlock(&lock_b);
    }
    return 0;
}

int main(void) {
    pthread_t a, b, t;
    pthread_create(&a, 0, owner_a, 0);
    pthread_create(&b, 0, owner_b, 0);
    pthread_create(&t, 0, thief, 0);
    pthread_join(t, 0);
    assert(stolen <= 8); // SAFE
    return 0;
}
