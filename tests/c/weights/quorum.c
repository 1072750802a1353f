// A leader counts acknowledgements. It commits once twice their number is larger than the number of members, and a
// committed entry keeps its majority, as acknowledgements are not taken back and members do not change.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int members, acknowledged, is_committed;

static void *follower(void *unused) {
    pthread_mutex_lock(&lock);
    if (acknowledged < members)
        acknowledged++;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *leader(void *unused) {
    pthread_mutex_lock(&lock);
    if (2 * acknowledged > members)
        is_committed = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *client(void *unused) {
    pthread_mutex_lock(&lock);
    if (is_committed)
        assert(2 * acknowledged > members); // SAFE
    assert(acknowledged <= members); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    int size = __VERIFIER_nondet_int();
    if (size < 1 || size > 99)
        return 0;
    members = size;
    for (int i = 0; i < 3; i++)
        pthread_create(&t, 0, follower, 0);
    pthread_create(&t, 0, leader, 0);
    pthread_create(&t, 0, client, 0);
    return 0;
}
