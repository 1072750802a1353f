// A budget is spent by threads that ask for what they need: nobody gets more than there is.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int budget = 1000;

static int request(int wanted) {
    int granted = 0;
    pthread_mutex_lock(&lock);
    if (wanted >= 0 && wanted <= budget) {
        budget -= wanted;
        granted = wanted;
        assert(budget >= 0); // SAFE
    }
    pthread_mutex_unlock(&lock);
    return granted;
}

static void *department(void *unused) {
    int wanted = __VERIFIER_nondet_int();
    int got = request(wanted);
    assert(got == 0 || got == wanted); // SAFE
    assert(got >= 0 && got <= 1000); // UNKNOWN (a disjunction of outcomes, and what all threads together have taken)
    if (got > 0) {
        int back = got / 2;
        pthread_mutex_lock(&lock);
        budget += back;
        pthread_mutex_unlock(&lock);
        assert(back < got); // UNKNOWN (a disjunction of outcomes, and what all threads together have taken)
    }
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, department, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(budget >= 0); // SAFE
    return 0;
}
