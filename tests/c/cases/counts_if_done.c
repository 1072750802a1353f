// Each thread adds its part once, and says so with a flag in the same section: the sum is told by the flags.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sum, first_done, second_done;

void *first(void *unused) {
    pthread_mutex_lock(&lock);
    sum += 3;
    first_done = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *second(void *unused) {
    pthread_mutex_lock(&lock);
    sum += 5;
    second_done = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_mutex_lock(&lock);
    if (first_done && second_done)
        assert(sum == 8); // SAFE (needs octagon)
    if (!first_done)
        assert(sum <= 5); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}
