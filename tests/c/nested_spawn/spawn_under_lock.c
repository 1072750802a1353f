// The child starts while its parent holds the lock.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int plan, open_plan;

void *child(void *unused) {
    assert(open_plan == 0); // UNSAFE!
    pthread_mutex_lock(&lock);
    assert(plan <= 2); // SAFE
    plan = 1;
    assert(plan == 1); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&lock);
    plan = 2;
    pthread_create(&t, 0, child, 0);
    assert(plan == 2); // SAFE
    open_plan = 2;
    plan = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}
