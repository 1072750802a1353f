// A batch whose size is decided by each thread: what is taken from one heap goes to the other.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int waiting = 50, running;

void *scheduler(void *unused) {
    int size = __VERIFIER_nondet_int();
    pthread_mutex_lock(&lock);
    if (size > 0 && size <= waiting) {
        waiting = waiting - size;
        running = running + size;
    }
    assert(waiting + running == 50); // SAFE (needs octagon)
    assert(running <= 50); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 4; i++)
        pthread_create(&thread, 0, scheduler, 0);
    pthread_mutex_lock(&lock);
    assert(running + waiting == 50); // SAFE (needs octagon)
    assert(running >= 0 && waiting >= 0); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}
