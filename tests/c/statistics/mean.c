// ARGS: --properties assertion,division-by-zero
// A mean of samples; it is asked for only if there are some, which is looked at twice.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, count;

static void *sampler(void *unused) {
    for (int i = 0; i < 3; i++) {
        int sample = __VERIFIER_nondet_int();
        if (sample < 0 || sample > 9) continue;
        pthread_mutex_lock(&lock);
        if (count < 1000) {
            sum += sample;
            count++;
        }
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *resetter(void *unused) {
    pthread_mutex_lock(&lock);
    sum = 0;
    count = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    int mean = 0;
    pthread_create(&a, 0, sampler, 0);
    pthread_create(&b, 0, resetter, 0);
    pthread_mutex_lock(&lock);
    if (count > 0)
        mean = sum / count; // SAFE
    pthread_mutex_unlock(&lock);
    assert(mean >= 0); // SAFE
    if (count > 0)
        mean = sum / count; // UNSAFE!
    assert(count <= 1000); // SAFE
    return 0;
}
