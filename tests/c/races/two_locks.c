// ARGS: --properties data-race
// Each cell needs one lock that all of its users hold.
#include <pthread.h>

int left, right; // SAFE
int mixed;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *first(void *arg) {
    pthread_mutex_lock(&a);
    left = left + 1;
    mixed = 1; // UNSAFE!
    pthread_mutex_unlock(&a);
    return 0;
}

void *second(void *arg) {
    pthread_mutex_lock(&b);
    right = right + 1;
    mixed = 2; // UNSAFE!
    pthread_mutex_unlock(&b);
    pthread_mutex_lock(&a);
    left = left - 1;
    pthread_mutex_lock(&b);
    right = right - 1;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_create(&three, 0, second, 0);
    return 0;
}
