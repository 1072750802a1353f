// A channel is one of two, chosen once; which lock is taken goes with it, and each protects a pair of its own.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t red_lock = PTHREAD_MUTEX_INITIALIZER, blue_lock = PTHREAD_MUTEX_INITIALIZER;
static int red_in, red_out, blue_in, blue_out;

static void pass(int is_red) {
    if (is_red)
        pthread_mutex_lock(&red_lock);
    else
        pthread_mutex_lock(&blue_lock);
    if (is_red) {
        red_in++;
        red_out++;
        assert(red_in == red_out); // SAFE
    } else {
        blue_in++;
        blue_out++;
        assert(blue_in == blue_out); // SAFE
    }
    if (is_red)
        pthread_mutex_unlock(&red_lock);
    else
        pthread_mutex_unlock(&blue_lock);
}

static void *worker(void *unused) {
    pass(__VERIFIER_nondet_int() > 0);
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, worker, 0);
    pthread_create(&t[1], 0, worker, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(red_in == red_out && blue_in == blue_out); // SAFE
    return 0;
}
