// As price.c, but the last ones are sold for less.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int stock = 3, income;

void *seller(void *unused) {
    pthread_mutex_lock(&lock);
    if (stock > 0) {
        stock--;
        income += stock < 2 ? 2 : 3;
    }
    assert(3 * stock + income == 9); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 4; i++)
        pthread_create(&thread, 0, seller, 0);
    return 0;
}
