// The result of trylock decides who may touch the cell.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int tool;

void *polite(void *unused) {
    if (pthread_mutex_trylock(&lock) == 0) {
        tool = 1;
        assert(tool == 1); // SAFE
        tool = 0;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *rude(void *unused) {
    int busy = pthread_mutex_trylock(&lock);
    assert(tool == 0); // UNSAFE!
    if (!busy) {
        assert(tool == 0); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, polite, 0);
    pthread_create(&b, 0, polite, 0);
    pthread_create(&c, 0, rude, 0);
    return 0;
}
