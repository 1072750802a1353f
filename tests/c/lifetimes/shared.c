// ARGS: --properties use-after-free
// One object that several threads use: given back too early, after everybody is done, and after it is hidden.
#include <pthread.h>
#include <stdlib.h>

struct item {
    int value;
    pthread_mutex_t lock;
};

struct item *early, *joined, *hidden;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *user(void *unused) {
    if (early)
        early->value = 1; // UNSAFE!
    if (joined)
        joined->value = 2; // SAFE
    pthread_mutex_lock(&lock);
    if (hidden)
        hidden->value = 3; // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

void *locker(void *unused) {
    pthread_mutex_lock(&early->lock); // UNSAFE!
    pthread_mutex_unlock(&early->lock); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t first, second;
    struct item *old;
    early = malloc(sizeof *early);
    joined = malloc(sizeof *joined);
    hidden = malloc(sizeof *hidden);
    if (!early || !joined || !hidden)
        return 1;
    pthread_mutex_init(&early->lock, 0); // SAFE
    pthread_create(&first, 0, user, 0);
    pthread_create(&second, 0, locker, 0);
    free(early); // SAFE
    pthread_mutex_lock(&lock);
    old = hidden;
    hidden = 0;
    pthread_mutex_unlock(&lock);
    free(old); // SAFE
    pthread_join(first, 0);
    joined->value = 4; // SAFE
    free(joined); // SAFE
    return 0;
}
