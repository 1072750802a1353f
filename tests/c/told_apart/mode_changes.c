// Whether the lock is held is remembered by a mode that the thread changes meanwhile: in one of the modes it is not.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
enum mode { IDLE, READING, WRITING };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int version, copy;

static void *worker(void *unused) {
    enum mode mode = IDLE;
    int choice = __VERIFIER_nondet_int();
    if (choice > 10)
        mode = WRITING;
    else if (choice > 0)
        mode = READING;
    if (mode != IDLE)
        pthread_mutex_lock(&lock);
    if (mode == WRITING) {
        version++;
        copy++;
        assert(version == copy); // SAFE
    } else {
        __goblint_check(version == copy); // UNSAFE!
        if (mode == READING)
            assert(version == copy); // SAFE
        mode = READING;
    }
    if (mode == WRITING || choice > 0)
        pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}
