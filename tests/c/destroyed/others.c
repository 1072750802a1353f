// Spinlocks, read/write locks, semaphores and mutexes of C11 that are destroyed too early.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

pthread_spinlock_t spin;
pthread_rwlock_t shared;
sem_t count;
mtx_t mutex;
int a, b, c, d;

void *user(void *unused) {
    pthread_spin_lock(&spin);
    a = 1;
    assert(a == 1); // UNSAFE! (undefined: a destroyed spinlock is used)
    a = 0;
    pthread_spin_unlock(&spin);
    pthread_rwlock_wrlock(&shared);
    b = 1;
    assert(b == 1); // UNSAFE! (undefined: a destroyed read/write lock is used)
    b = 0;
    pthread_rwlock_unlock(&shared);
    sem_wait(&count);
    c = 1;
    assert(c == 1); // UNSAFE! (undefined: a destroyed semaphore is used)
    c = 0;
    sem_post(&count);
    mtx_lock(&mutex);
    d = 1;
    assert(d == 1); // UNSAFE! (undefined: a destroyed mutex is used)
    d = 0;
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_spin_init(&spin, 0);
    pthread_rwlock_init(&shared, 0);
    sem_init(&count, 0, 1);
    mtx_init(&mutex, mtx_plain);
    pthread_create(&first, 0, user, 0);
    pthread_create(&second, 0, user, 0);
    pthread_spin_destroy(&spin);
    pthread_rwlock_destroy(&shared);
    sem_destroy(&count);
    mtx_destroy(&mutex);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
