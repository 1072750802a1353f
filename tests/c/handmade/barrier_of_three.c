// A barrier of a counter and a condition: nobody passes before all three have come.
#include <pthread.h>
#include <assert.h>

#define PARTIES 3
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived, prepared_a, prepared_b;

static void meet(void) {
    pthread_mutex_lock(&lock);
    arrived++;
    if (arrived >= PARTIES) pthread_cond_broadcast(&all_here);
    while (arrived < PARTIES) pthread_cond_wait(&all_here, &lock);
    assert(arrived >= PARTIES); // SAFE
    pthread_mutex_unlock(&lock);
}

static void *one(void *unused) {
    prepared_a = 1;
    meet();
    assert(prepared_b == 1); // SAFE (needs refinement)
    return 0;
}

static void *other(void *unused) {
    assert(prepared_a == 0); // UNSAFE!
    prepared_b = 1;
    meet();
    assert(prepared_a >= 0); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    meet();
    assert(prepared_a <= 1); // SAFE
    return 0;
}
