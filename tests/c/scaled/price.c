// Each sale takes one from the stock and brings in three: what was there and what came in add up, with weights.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int stock = 30, income;

void *seller(void *unused) {
    pthread_mutex_lock(&lock);
    if (stock > 0) {
        stock--;
        income += 3;
    }
    assert(3 * stock + income == 90); // SAFE (needs octagon)
    assert(income <= 90); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 4; i++)
        pthread_create(&thread, 0, seller, 0);
    return 0;
}
