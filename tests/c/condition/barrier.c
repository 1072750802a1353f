// A two-party barrier: the count is protected, what was written before it is not known to the analysis.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t everybody = PTHREAD_COND_INITIALIZER;
int arrived;
int mine, yours;

static void barrier(void) {
    pthread_mutex_lock(&lock);
    arrived = arrived + 1;
    if (arrived >= 2) pthread_cond_broadcast(&everybody);
    while (arrived < 2) pthread_cond_wait(&everybody, &lock);
    assert(arrived >= 2); // SAFE
    pthread_mutex_unlock(&lock);
}

void *me(void *unused) {
    mine = 1;
    assert(yours == 0); // UNSAFE!
    barrier();
    assert(yours == 1); // SAFE (needs refinement)
    return 0;
}

void *you(void *unused) {
    yours = 1;
    barrier();
    assert(mine >= 0); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, me, 0);
    pthread_create(&b, 0, you, 0);
    pthread_join(a, 0);
    return 0;
}
