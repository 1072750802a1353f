// As branch_taken.c, but the flag is also set where nothing was taken.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int stock = 10;

void *buyer(void *unused) {
    int is_served = 0;
    int before, after;
    pthread_mutex_lock(&lock);
    before = stock;
    if (stock >= 4) {
        stock -= 4;
        is_served = 1;
    } else if (stock == 2)
        is_served = 1;
    after = stock;
    pthread_mutex_unlock(&lock);
    if (is_served)
        assert(after == before - 4); // UNSAFE!
    assert(after <= before); // SAFE (needs octagon)
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, buyer, 0);
    return 0;
}
