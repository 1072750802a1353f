// A barber, a waiting room of three chairs, customers who leave when it is full.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define CHAIRS 3
#define CUSTOMERS 6

static sem_t customers, barber;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int waiting, served, left, closing;

static void *barber_main(void *unused) {
    for (;;) {
        sem_wait(&customers);
        pthread_mutex_lock(&m);
        if (closing && waiting == 0) {
            pthread_mutex_unlock(&m);
            break;
        }
        assert(waiting >= 0 && waiting <= CHAIRS); // SAFE
        if (waiting > 0) {
            waiting--;
            served++;
            sem_post(&barber);
        }
        assert(served <= CUSTOMERS); // SAFE
        assert(waiting < CHAIRS); // SAFE
        pthread_mutex_unlock(&m);
    }
    return unused;
}

static void *customer(void *unused) {
    pthread_mutex_lock(&m);
    assert(waiting + served + left < CUSTOMERS); // SAFE
    if (waiting == CHAIRS) {
        left++;
        assert(left <= CUSTOMERS - CHAIRS); // SAFE
        pthread_mutex_unlock(&m);
        return unused;
    }
    waiting++;
    assert(waiting >= 1); // SAFE
    sem_post(&customers);
    pthread_mutex_unlock(&m);
    sem_wait(&barber);
    pthread_mutex_lock(&m);
    assert(served >= 1); // UNKNOWN (what is proved by cubes backwards alone)
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t b, c[CUSTOMERS];
    sem_init(&customers, 0, 0);
    sem_init(&barber, 0, 0);
    pthread_create(&b, 0, barber_main, 0);
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_create(&c[i], 0, customer, 0);
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_join(c[i], 0);
    pthread_mutex_lock(&m);
    closing = 1;
    assert(served + left + waiting == CUSTOMERS); // SAFE
    pthread_mutex_unlock(&m);
    sem_post(&customers);
    pthread_join(b, 0);
    assert(waiting == 0); // UNKNOWN (what is proved by cubes backwards alone)
    assert(served + left == CUSTOMERS); // SAFE
    assert(served >= CHAIRS); // SAFE
    assert(left == 1); // UNSAFE!
    return 0;
}
