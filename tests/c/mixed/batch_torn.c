// As batch.c, but the two heaps are changed in two critical sections.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int waiting = 50, running;

void *scheduler(void *unused) {
    int size = __VERIFIER_nondet_int();
    int is_moved = 0;
    pthread_mutex_lock(&lock);
    if (size > 0 && size <= waiting) {
        waiting = waiting - size;
        is_moved = 1;
    }
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (is_moved)
        running = running + size;
    assert(waiting + running == 50); // UNSAFE!
    assert(waiting >= 0); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 4; i++)
        pthread_create(&thread, 0, scheduler, 0);
    return 0;
}
