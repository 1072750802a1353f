// ARGS: --properties assertion
// Buffers in a table, each with a lock of its own: what lies in one is at most its room, and room only grows.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define BUFFERS 4
#define SMALLEST 8
#define LARGEST 64

struct buffer {
    pthread_mutex_t lock;
    int length, room;
    int dropped;
};

static struct buffer table[BUFFERS];

static int append(struct buffer *b, int n) {
    int ok = 0;
    pthread_mutex_lock(&b->lock);
    assert(b->length <= b->room); // SAFE
    while (b->length + n > b->room && b->room < LARGEST)
        b->room *= 2;
    if (b->length + n <= b->room) {
        b->length += n;
        assert(b->length >= n); // SAFE
        ok = 1;
    } else {
        b->dropped++;
        assert(b->room == LARGEST); // UNKNOWN (a size that is doubled up to the largest)
    }
    assert(b->length <= b->room); // SAFE
    pthread_mutex_unlock(&b->lock);
    return ok;
}

static int drain(struct buffer *b) {
    pthread_mutex_lock(&b->lock);
    int n = b->length;
    b->length = 0;
    assert(n <= b->room); // SAFE
    assert(b->room >= SMALLEST); // SAFE
    pthread_mutex_unlock(&b->lock);
    return n;
}

static void *filler(void *arg) {
    for (int i = 0; i < 10; i++)
        append(&table[rand() % BUFFERS], 1 + rand() % 16);
    return arg;
}

static void *flusher(void *arg) {
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < BUFFERS; i++) {
            int n = drain(&table[i]);
            assert(n >= 0); // SAFE
            assert(n <= LARGEST); // SAFE
        }
    return arg;
}

int main(void) {
    pthread_t f[2], d;
    for (int i = 0; i < BUFFERS; i++) {
        pthread_mutex_init(&table[i].lock, NULL);
        table[i].room = SMALLEST;
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&f[i], NULL, filler, NULL);
    pthread_create(&d, NULL, flusher, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(f[i], NULL);
    pthread_join(d, NULL);
    for (int i = 0; i < BUFFERS; i++) {
        assert(table[i].length >= 0); // SAFE
        assert(table[i].length <= table[i].room); // SAFE
        assert(table[i].room >= SMALLEST && table[i].room <= LARGEST); // SAFE
    }
    assert(table[1].room == SMALLEST); // UNSAFE!
    return 0;
}
