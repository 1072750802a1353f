// ARGS: --properties assertion,data-race,deadlock
// Five philosophers; each takes the fork of the lower number first.
#include <assert.h>
#include <pthread.h>

#define N 5
static pthread_mutex_t fork_[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int used[N]; // SAFE

static void *eat(void *arg) {
    int id = (int)(long)arg;
    int left = id, right = (id + 1) % N;
    int first = left < right ? left : right, second = left < right ? right : left;
    assert(first < second); // SAFE
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&fork_[first]);
        pthread_mutex_lock(&fork_[second]);
        used[left]++;
        used[right]++;
        pthread_mutex_unlock(&fork_[second]);
        pthread_mutex_unlock(&fork_[first]);
    }
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, eat, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < N; i++)
        assert(used[i] >= 0); // SAFE
    return 0;
}
