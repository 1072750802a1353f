// Whether the amount was taken is known by a local flag, after the section in which it was.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int stock = 10, sold;

void *buyer(void *unused) {
    int is_bought = 0;
    int before = 0, after = 0;
    pthread_mutex_lock(&lock);
    before = stock;
    if (stock >= 4) {
        stock -= 4;
        is_bought = 1;
    }
    after = stock;
    pthread_mutex_unlock(&lock);
    if (is_bought)
        assert(after == before - 4); // SAFE (needs octagon)
    else
        assert(after == before); // SAFE (needs octagon)
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, buyer, 0);
    return 0;
}
