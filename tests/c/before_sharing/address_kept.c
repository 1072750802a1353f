// As out_parameter.c, but the function keeps the address: later another thread stores through it.
#include <assert.h>
#include <pthread.h>

static int *waiting_for;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void ask(int *answer) {
    *answer = 0;
    pthread_mutex_lock(&lock);
    waiting_for = answer;
    pthread_mutex_unlock(&lock);
}

static void *oracle(void *unused) {
    pthread_mutex_lock(&lock);
    if (waiting_for)
        *waiting_for = 42;
    waiting_for = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    int answer = 7;
    assert(answer == 7); // SAFE
    if (pthread_create(&t, 0, oracle, 0))
        return 1;
    answer = 8;
    assert(answer == 8); // SAFE
    ask(&answer);
    assert(answer == 0 || answer == 42); // SAFE
    __goblint_check(answer == 0); // UNSAFE!
    pthread_join(t, 0);
    answer = 9;
    assert(answer == 9); // SAFE
    return 0;
}
