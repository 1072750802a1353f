// A function that takes the lock only when it returns 0; one caller forgets to look.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int fuel;

static int try_start(void) {
    if (pthread_mutex_trylock(&lock)) return -16;
    if (fuel < 0) {
        pthread_mutex_unlock(&lock);
        return -5;
    }
    return 0;
}

void *checked(void *unused) {
    if (try_start() == 0) {
        fuel = 50;
        assert(fuel == 50); // SAFE
        fuel = 0;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *unchecked(void *unused) {
    int result = try_start();
    assert(result <= 0); // SAFE
    assert(fuel == 0); // UNSAFE!
    if (!result) pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, checked, 0);
    pthread_create(&b, 0, unchecked, 0);
    return 0;
}
