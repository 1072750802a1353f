// ARGS: --properties deadlock
// Three philosophers: a circle of three; with a waiter there is none.
#include <pthread.h>

pthread_mutex_t forks[3];
pthread_mutex_t waiter;

void eat(int left, int right) {
    pthread_mutex_lock(&forks[left]); // SAFE
    pthread_mutex_lock(&forks[right]); // UNSAFE!
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
}

void *first(void *arg) {
    eat(0, 1);
    return 0;
}

void *second(void *arg) {
    eat(1, 2);
    return 0;
}

void *third(void *arg) {
    eat(2, 0);
    return 0;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_create(&threads[2], 0, third, 0);
    pthread_mutex_lock(&waiter); // SAFE
    pthread_mutex_unlock(&waiter);
    return 0;
}
