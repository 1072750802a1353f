// Double-checked initialisation in the right order, and the same with the flag set too early.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int made, object;
int early_made, early_object;

void *use(void *unused) {
    if (!made) {
        pthread_mutex_lock(&lock);
        if (!made) {
            object = 42;
            made = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    assert(made == 1); // SAFE
    assert(object == 42); // SAFE (needs refinement)
    return 0;
}

void *use_early(void *unused) {
    if (!early_made) {
        pthread_mutex_lock(&lock);
        if (!early_made) {
            early_made = 1;
            early_object = 42;
        }
        pthread_mutex_unlock(&lock);
    }
    assert(early_made == 1); // SAFE
    assert(early_object == 42); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b, c, d;
    pthread_create(&a, 0, use, 0);
    pthread_create(&b, 0, use, 0);
    pthread_create(&c, 0, use_early, 0);
    pthread_create(&d, 0, use_early, 0);
    return 0;
}
