// As used_and_free.c, but a slot that is broken is in neither number.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int used, unused, size;

void *taker(void *argument) {
    int is_broken = __VERIFIER_nondet_int();
    pthread_mutex_lock(&lock);
    if (unused > 0) {
        unused--;
        if (!is_broken)
            used++;
    }
    assert(used + unused <= size); // SAFE
    assert(used + unused == size); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    size = __VERIFIER_nondet_int();
    if (size < 0)
        return 0;
    unused = size;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, taker, 0);
    return 0;
}
