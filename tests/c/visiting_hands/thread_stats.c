// ARGS: --properties assertion,array-bounds
// Each thread counts in a structure of its own; main sums them when all have ended.
#include <assert.h>
#include <pthread.h>

#define THREADS 4
#define ROUNDS 25

struct stats {
    long requests;
    long errors;
    long bytes;
};

static struct stats stats[THREADS];
static long grand_requests;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *serve(void *arg) {
    int id = (int)(long)arg;
    struct stats *mine = &stats[id]; // SAFE
    for (int i = 0; i < ROUNDS; i++) {
        mine->requests++;
        if (i % 5 == 0)
            mine->errors++;
        else
            mine->bytes += 100;
        assert(mine->errors <= mine->requests); // SAFE
        assert(mine->bytes <= 100 * mine->requests); // SAFE
    }
    assert(mine->requests == ROUNDS); // SAFE
    pthread_mutex_lock(&lock);
    grand_requests += mine->requests;
    assert(grand_requests <= THREADS * ROUNDS); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    struct stats sum = {0, 0, 0};
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, serve, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < THREADS; i++) {
        sum.requests += stats[i].requests; // SAFE
        sum.errors += stats[i].errors; // SAFE
        sum.bytes += stats[i].bytes; // SAFE
        assert(stats[i].errors <= stats[i].requests); // SAFE
    }
    assert(sum.requests == THREADS * ROUNDS); // SAFE
    assert(sum.requests == grand_requests); // SAFE
    assert(sum.errors == THREADS * 5); // SAFE
    assert(sum.bytes <= 100 * sum.requests); // SAFE
    assert(sum.errors == THREADS); // UNSAFE!
    return 0;
}
