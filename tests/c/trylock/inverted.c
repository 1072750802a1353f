// The classic mistake: trylock returns 0 when it succeeds.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sheet;

void *right_way(void *unused) {
    if (!pthread_mutex_trylock(&lock)) {
        sheet = 2;
        assert(sheet > 0); // UNSAFE!
        sheet = 0;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *wrong_way(void *unused) {
    if (pthread_mutex_trylock(&lock)) {
        sheet = 0;
        assert(sheet <= 2); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, right_way, 0);
    pthread_create(&b, 0, wrong_way, 0);
    return 0;
}
