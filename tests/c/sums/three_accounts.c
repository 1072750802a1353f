// Money moves between three accounts; nobody sees some of it on the way.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int a = 10, b = 20, c = 30;

void *first(void *unused) {
    pthread_mutex_lock(&lock);
    if (a > 0) {
        a--;
        b++;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

void *second(void *unused) {
    pthread_mutex_lock(&lock);
    if (b > 1) {
        b = b - 2;
        assert(a + b + c == 58); // SAFE (needs octagon)
        a++;
        c++;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++) {
        pthread_create(&thread, 0, first, 0);
        pthread_create(&thread, 0, second, 0);
    }
    pthread_mutex_lock(&lock);
    assert(a + b + c == 60); // SAFE (needs octagon)
    assert(a <= 60 && b <= 60); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}
