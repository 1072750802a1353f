// As quorum.c, but members may join later: what was a majority need not be one any more.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int members = 1, acknowledged, is_committed;

static void *join_in(void *unused) {
    pthread_mutex_lock(&lock);
    members++;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *acknowledge(void *unused) {
    pthread_mutex_lock(&lock);
    if (acknowledged < members)
        acknowledged++;
    if (2 * acknowledged > members) {
        is_committed = 1;
        assert(2 * acknowledged - members >= 1); // SAFE
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, join_in, 0);
    pthread_create(&b, 0, acknowledge, 0);
    pthread_mutex_lock(&lock);
    if (is_committed)
        assert(2 * acknowledged > members); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}
