// As state_and_owner.c, but the state is free before the user has gone.
#include <pthread.h>
#include <assert.h>

enum state { FREE, EXCLUSIVE };
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum state state = FREE;
int users;

void *owner(void *unused) {
    int is_mine = 0;
    pthread_mutex_lock(&lock);
    if (state == FREE) {
        state = EXCLUSIVE;
        users++;
        is_mine = 1;
    }
    pthread_mutex_unlock(&lock);
    if (is_mine) {
        pthread_mutex_lock(&lock);
        assert(state == EXCLUSIVE); // SAFE
        state = FREE;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        users--;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 2; i++)
        pthread_create(&thread, 0, owner, 0);
    pthread_mutex_lock(&lock);
    if (state == FREE)
        assert(users == 0); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}
