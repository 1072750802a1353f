// ARGS: --properties data-race
// Memory that is given back while another thread may use it, and in three ways in which none can.
#include <pthread.h>
#include <stdlib.h>

struct item {
    int count;
};

struct item *early, *late, *removed, *under_lock; // SAFE
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *user(void *unused) {
    if (early)
        early->count = 1; // UNSAFE!
    if (late)
        late->count = 2;
    pthread_mutex_lock(&lock);
    if (removed)
        removed->count = 3;
    if (under_lock)
        under_lock->count = 4;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    struct item *old;
    early = malloc(sizeof *early);
    late = malloc(sizeof *late); // SAFE
    removed = malloc(sizeof *removed); // SAFE
    under_lock = malloc(sizeof *under_lock); // SAFE
    if (pthread_create(&t, 0, user, 0) != 0)
        return 1;
    free(early); // UNSAFE!
    pthread_mutex_lock(&lock);
    free(under_lock);
    under_lock = 0;
    old = removed;
    removed = 0;
    pthread_mutex_unlock(&lock);
    free(old);
    pthread_join(t, 0);
    free(late);
    return 0;
}
