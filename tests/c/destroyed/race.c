// ARGS: --properties assertion,data-race
// Races behind a mutex of an object that one thread destroys while the other one still uses it, and in time.
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t mutex;
    int balance;
};

struct account *early, *late; // SAFE

void *user(void *unused) {
    pthread_mutex_lock(&late->mutex);
    late->balance++;
    pthread_mutex_unlock(&late->mutex);
    pthread_mutex_lock(&early->mutex);
    early->balance++; // UNSAFE!
    pthread_mutex_unlock(&early->mutex);
    return 0;
}

int main(void) {
    pthread_t first, second;
    early = malloc(sizeof *early);
    late = malloc(sizeof *late); // SAFE
    if (!early || !late)
        return 0;
    pthread_mutex_init(&early->mutex, 0);
    pthread_mutex_init(&late->mutex, 0);
    early->balance = late->balance = 0;
    pthread_create(&first, 0, user, 0);
    pthread_create(&second, 0, user, 0);
    pthread_mutex_destroy(&early->mutex);
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_mutex_destroy(&late->mutex);
    return 0;
}
