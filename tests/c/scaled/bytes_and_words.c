// A buffer counts its words and its bytes: there are four times as many of the latter whenever the lock is free.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int words, bytes;

void *writer(void *unused) {
    pthread_mutex_lock(&lock);
    words++;
    bytes += 4;
    assert(bytes == 4 * words); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}

void *reader(void *unused) {
    pthread_mutex_lock(&lock);
    if (words > 0) {
        words--;
        assert(bytes == 4 * words + 4); // SAFE (needs octagon)
        bytes -= 4;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++) {
        pthread_create(&thread, 0, writer, 0);
        pthread_create(&thread, 0, reader, 0);
    }
    pthread_mutex_lock(&lock);
    assert(4 * words == bytes); // SAFE (needs octagon)
    assert(bytes >= 0); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}
