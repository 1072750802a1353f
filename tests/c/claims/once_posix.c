// pthread_once fills what all threads read, and counts from what it began with.
#include <assert.h>
#include <pthread.h>

#define PRIMES 5

static int prime[PRIMES], found, calls, looked;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void fill(void)
{
    prime[0] = 2;
    prime[1] = 3;
    prime[2] = 5;
    prime[3] = 7;
    prime[4] = 11;
    found = PRIMES;
    calls++;
}

static void *look(void *unused)
{
    pthread_once(&once, fill);
    assert(calls == 1);                     // SAFE
    assert(found == PRIMES);                // SAFE
    assert(prime[4] == 11);                 // SAFE
    for (int i = 0; i < found; i++)
        assert(prime[i] >= 2);              // SAFE
    pthread_mutex_lock(&lock);
    looked += found;
    assert(looked <= 3 * PRIMES);           // SAFE
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[3];

    for (int t = 0; t < 3; t++)
        pthread_create(&threads[t], 0, look, 0);
    for (int t = 0; t < 3; t++)
        pthread_join(threads[t], 0);
    assert(looked == 3 * PRIMES);  // UNKNOWN (each thread adds a cell that is made once)
    return 0;
}
