// ARGS: --properties assertion,data-race,array-bounds
// Workers take the next index under a lock, and write the element that it tells: it is theirs alone.
#include <assert.h>
#include <pthread.h>

#define N 40
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int next; // SAFE
static int result[N]; // SAFE

static void *worker(void *unused) {
    for (;;) {
        pthread_mutex_lock(&m);
        int i = next++;
        pthread_mutex_unlock(&m);
        if (i >= N)
            break;
        assert(i >= 0); // SAFE
        result[i] = i * i; // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t t[4];
    for (int k = 0; k < 4; k++)
        pthread_create(&t[k], 0, worker, 0);
    for (int k = 0; k < 4; k++)
        pthread_join(t[k], 0);
    for (int k = 0; k < N; k++)
        assert(result[k] >= 0); // SAFE
    return 0;
}
