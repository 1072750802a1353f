// ARGS: --properties assertion,data-race,array-bounds
// Workers count what they did, each in its own element; main adds up when all have ended.
#include <assert.h>
#include <pthread.h>

#define T 3
static int done[T]; // SAFE
static int all; // SAFE
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    long id = (long)arg;
    for (int i = 0; i < 10; i++)
        done[id]++; // SAFE
    assert(done[id] == 10); // SAFE
    pthread_mutex_lock(&m);
    all += done[id];
    assert(all <= 30); // SAFE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t[T];
    int sum = 0;
    for (long i = 0; i < T; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < T; i++) {
        pthread_join(t[i], 0);
        sum += done[i];
    }
    assert(sum == 30); // SAFE
    assert(all == 30); // SAFE
    assert(sum < 30); // UNSAFE!
    return 0;
}
