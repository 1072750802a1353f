// Two error paths: one releases the lock as it should, the other one releases it a statement too early.
#include <pthread.h>
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int owner;

int operate(void) {
    int status = 0;
    pthread_mutex_lock(&lock);
    owner = 1;
    if (__VERIFIER_nondet_bool()) {
        status = -5;
        goto out;
    }
    assert(owner == 1); // SAFE
    if (__VERIFIER_nondet_bool()) {
        owner = 0;
        pthread_mutex_unlock(&lock);
        assert(owner == 0); // UNSAFE!
        return -12;
    }
out:
    owner = 0;
    pthread_mutex_unlock(&lock);
    return status;
}

void *thread(void *unused) {
    int result = operate();
    assert(result <= 0); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    return 0;
}
