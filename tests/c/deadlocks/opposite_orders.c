// ARGS: --properties deadlock
// Two locks taken in opposite orders.
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int moved;

void *forth(void *arg) {
    pthread_mutex_lock(&a); // SAFE
    pthread_mutex_lock(&b); // UNSAFE!
    moved = moved + 1;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

void *back(void *arg) {
    pthread_mutex_lock(&b); // SAFE
    pthread_mutex_lock(&a); // UNSAFE!
    moved = moved - 1;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, forth, 0);
    pthread_create(&two, 0, back, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
