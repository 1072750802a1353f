// The least and the greatest sample: in order whenever the lock is free, once there is a sample.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int least, greatest;

void *sampler(void *unused) {
    int sample = __VERIFIER_nondet_int();
    pthread_mutex_lock(&lock);
    if (sample > greatest)
        greatest = sample;
    if (sample < least)
        least = sample;
    assert(least <= greatest); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sampler, 0);
    pthread_create(&b, 0, sampler, 0);
    pthread_mutex_lock(&lock);
    int low = least;
    int high = greatest;
    assert(low <= high); // SAFE (needs octagon)
    assert(low < high); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}
