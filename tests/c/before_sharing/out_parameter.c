// The address of a local goes to a function that stores through it and forgets it; nobody else ever has it.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int low = 1, high = 6;

static void bounds(int *l, int *h) {
    pthread_mutex_lock(&lock);
    *l = low;
    *h = high;
    pthread_mutex_unlock(&lock);
}

static int parse(int text, int *result) {
    if (text < 0)
        return -1;
    *result = text;
    return 0;
}

static void *caller(void *unused) {
    int from, to, number = 3;
    bounds(&from, &to);
    assert(from < to); // SAFE
    if (parse(__VERIFIER_nondet_int(), &number) == 0)
        assert(number >= 0); // SAFE
    else
        assert(number == 3); // SAFE
    return 0;
}

static void *mover(void *unused) {
    pthread_mutex_lock(&lock);
    low += 10;
    high += 10;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, caller, 0);
    pthread_create(&b, 0, caller, 0);
    pthread_create(&c, 0, mover, 0);
    return 0;
}
