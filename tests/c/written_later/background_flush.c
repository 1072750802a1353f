// A buffer that a background thread flushes when it is half full, or when it is told to end.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define SIZE 8

static int filled, flushed, produced;
static bool ending;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t half = PTHREAD_COND_INITIALIZER, room = PTHREAD_COND_INITIALIZER;

static void *flusher(void *unused) {
    bool last = false;
    while (!last) {
        pthread_mutex_lock(&lock);
        while (2 * filled < SIZE && !ending)
            pthread_cond_wait(&half, &lock);
        assert(ending || filled >= SIZE / 2); // SAFE
        int n = filled;
        flushed += n;
        filled = 0;
        assert(flushed == produced); // SAFE
        last = ending;
        pthread_cond_broadcast(&room);
        pthread_mutex_unlock(&lock);
        assert(n >= 0 && n <= SIZE); // SAFE
        __goblint_check(n > 0); // UNSAFE!
    }
    return 0;
}

static void *producer(void *unused) {
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&lock);
        while (filled == SIZE)
            pthread_cond_wait(&room, &lock);
        filled++;
        produced++;
        assert(filled <= SIZE); // SAFE
        assert(filled + flushed == produced); // SAFE
        if (2 * filled >= SIZE)
            pthread_cond_signal(&half);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t f, p;
    pthread_create(&f, 0, flusher, 0);
    pthread_create(&p, 0, producer, 0);
    pthread_join(p, 0);
    pthread_mutex_lock(&lock);
    assert(produced == 10); // SAFE
    __goblint_check(filled > 0); // UNSAFE!
    ending = true;
    pthread_cond_signal(&half);
    pthread_mutex_unlock(&lock);
    pthread_join(f, 0);
    assert(filled == 0); // SAFE
    assert(flushed == 10); // SAFE
    return 0;
}
