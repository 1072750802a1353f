// A logger with two buffers: threads write into one, a flusher swaps them and writes the other one out unlocked.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define ROOM 3
struct buffer {
    int lines[ROOM];
    int used;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static struct buffer buffers[2];
static int front; /* the one that is written into */
static int logged, lost, flushed;
static bool is_ending;

static void log_line(int level) {
    pthread_mutex_lock(&lock);
    assert(front == 0 || front == 1); // SAFE
    struct buffer *to = &buffers[front];
    if (to->used == ROOM) {
        lost++;
    } else {
        to->lines[to->used++] = level;
        logged++;
        pthread_cond_signal(&not_empty);
    }
    assert(to->used >= 1 && to->used <= ROOM); // UNKNOWN (an object that is one of two, by index)
    pthread_mutex_unlock(&lock);
}

static void *flusher(void *unused) {
    bool is_last = false;
    while (!is_last) {
        pthread_mutex_lock(&lock);
        while (buffers[front].used == 0 && !is_ending)
            pthread_cond_wait(&not_empty, &lock);
        is_last = is_ending;
        struct buffer *from = &buffers[front];
        front = 1 - front;
        assert(buffers[front].used == 0); // UNKNOWN (an object that is one of two, by index)
        pthread_mutex_unlock(&lock);
        int count = from->used;
        assert(count >= 0 && count <= ROOM); // UNKNOWN (an object that is one of two, by index)
        assert(is_last || count >= 1); // SAFE
        for (int i = 0; i < count; i++)
            assert(from->lines[i] >= 1 && from->lines[i] <= 3); // UNKNOWN (what is in an array before an index)
        from->used = 0;
        pthread_mutex_lock(&lock);
        flushed += count;
        assert(flushed <= logged); // UNKNOWN (what is taken was put in)
        __goblint_check(flushed == logged); // UNSAFE!
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *server(void *level) {
    for (int i = 0; i < 3; i++)
        log_line(1 + i);
    return 0;
}

int main(void) {
    pthread_t f, a, b;
    pthread_create(&f, 0, flusher, 0);
    pthread_create(&a, 0, server, 0);
    pthread_create(&b, 0, server, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_mutex_lock(&lock);
    assert(logged + lost == 6); // SAFE
    assert(lost <= 3); // UNKNOWN (what all have put in)
    is_ending = true;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
    pthread_join(f, 0);
    assert(flushed == logged); // UNKNOWN (what is left when all have ended)
    assert(buffers[0].used == 0 && buffers[1].used == 0); // UNKNOWN (an object that is one of two, by index)
    __goblint_check(lost == 0); // UNSAFE!
    return 0;
}
