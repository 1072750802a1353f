// A small machine: in each state the owner and the number of users are as the state says.
#include <pthread.h>
#include <assert.h>

enum state { FREE, SHARED, EXCLUSIVE };
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum state state = FREE;
int users;

void *sharer(void *unused) {
    pthread_mutex_lock(&lock);
    if (state == FREE || state == SHARED) {
        state = SHARED;
        users++;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

void *owner(void *unused) {
    pthread_mutex_lock(&lock);
    if (state == FREE) {
        state = EXCLUSIVE;
        users = 1;
    }
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (state == EXCLUSIVE) {
        assert(users == 1); // SAFE (needs octagon)
        state = FREE;
        users = 0;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++) {
        pthread_create(&thread, 0, sharer, 0);
        pthread_create(&thread, 0, owner, 0);
    }
    pthread_mutex_lock(&lock);
    if (state == FREE)
        assert(users == 0); // SAFE (needs octagon)
    if (state == SHARED)
        assert(users >= 1); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}
