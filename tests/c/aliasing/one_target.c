// A pointer with one target is that target; with two it may be either.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int left, right;
int *only = &left;

void *worker(void *unused) {
    int *either = __VERIFIER_nondet_int() ? &left : &right;
    pthread_mutex_lock(&lock);
    *only = 6;
    assert(left == 6); // SAFE
    right = 6;
    *either = 3;
    assert(*either == 3); // SAFE
    assert(left >= 3); // SAFE
    assert(left == 6); // UNSAFE!
    left = 0;
    right = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    assert(left <= 6); // SAFE
    return 0;
}
