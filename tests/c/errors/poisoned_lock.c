// A thread that fails leaves a mark under the lock; the others give up when they see it.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int poisoned, data = 2;

static void *worker(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        if (poisoned) {
            pthread_mutex_unlock(&lock);
            return 0;
        }
        data = 0;
        if (__VERIFIER_nondet_int() == 3) {
            poisoned = 1;
            pthread_mutex_unlock(&lock);
            return 0;
        }
        data = 2;
        assert(data == 2); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_mutex_lock(&lock);
    if (!poisoned) assert(data == 2); // SAFE
    assert(data >= 0 && data <= 2); // SAFE
    assert(data == 2); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}
