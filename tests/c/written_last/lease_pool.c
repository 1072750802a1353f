// A pool of four leases with a stack of free ones; each holder gives back what it took.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define LEASES 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int free_leases[LEASES], count;
static bool taken[LEASES];

static int take(void) {
    int lease = -1;
    pthread_mutex_lock(&lock);
    if (count > 0) {
        count--;
        assert(count >= 0 && count < LEASES); // SAFE
        lease = free_leases[count];
        assert(lease >= 0 && lease < LEASES); // SAFE
        assert(!taken[lease]); // UNKNOWN (what the elements of an array say of each other)
        taken[lease] = true;
    }
    pthread_mutex_unlock(&lock);
    return lease;
}

static void give(int lease) {
    pthread_mutex_lock(&lock);
    assert(taken[lease]); // UNKNOWN (what the elements of an array say of each other)
    assert(count < LEASES); // SAFE
    taken[lease] = false;
    free_leases[count] = lease;
    count++;
    pthread_mutex_unlock(&lock);
}

static void *holder(void *unused) {
    for (int i = 0; i < 3; i++) {
        int lease = take();
        __goblint_check(lease == LEASES - 1); // UNSAFE!
        if (lease >= 0)
            give(lease);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    for (int i = 0; i < LEASES; i++)
        free_leases[i] = i;
    count = LEASES;
    pthread_create(&a, 0, holder, 0);
    pthread_create(&b, 0, holder, 0);
    pthread_mutex_lock(&lock);
    assert(count >= 2); // SAFE
    assert(count <= LEASES); // SAFE
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == LEASES); // SAFE
    return 0;
}
