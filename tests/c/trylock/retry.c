// Spinning on trylock is as good as locking; giving up after some attempts is not.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int kettle, cup;

void *patient(void *unused) {
    while (pthread_mutex_trylock(&lock) != 0) ;
    kettle = 100;
    assert(kettle == 100); // SAFE
    kettle = 20;
    cup = 1;
    cup = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *hasty(void *unused) {
    int attempts = 0, failed;
    do {
        failed = pthread_mutex_trylock(&lock);
        attempts++;
    } while (failed && attempts < 2);
    assert(attempts >= 1); // SAFE
    assert(attempts <= 2); // SAFE
    assert(cup == 0); // UNSAFE!
    if (!failed) pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, patient, 0);
    pthread_create(&b, 0, hasty, 0);
    return 0;
}
