// As three_accounts.c, but who looks does not take the lock.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int a = 10, b = 20, c = 30;

void *first(void *unused) {
    pthread_mutex_lock(&lock);
    if (a > 0 && c > 0) {
        a--;
        c--;
        b = b + 2;
    }
    assert(a + b + c == 60); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, first, 0);
    assert(a + b + c == 60); // UNSAFE!
    return 0;
}
