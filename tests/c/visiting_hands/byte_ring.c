// ARGS: --properties assertion,array-bounds
// A ring of bytes with head, tail and count under one lock; writers and readers wait for room and for data.
#include <assert.h>
#include <pthread.h>

#define SIZE 16

struct ring {
    unsigned char data[SIZE];
    unsigned head, tail, count;
    unsigned long in, out;
    pthread_mutex_t lock;
    pthread_cond_t room, filled;
};

static struct ring ring = {.lock = PTHREAD_MUTEX_INITIALIZER,
                           .room = PTHREAD_COND_INITIALIZER,
                           .filled = PTHREAD_COND_INITIALIZER};

static void ring_put(struct ring *r, unsigned char byte) {
    pthread_mutex_lock(&r->lock);
    while (r->count == SIZE)
        pthread_cond_wait(&r->room, &r->lock);
    r->data[r->tail] = byte; // SAFE
    r->tail = (r->tail + 1) % SIZE;
    r->count++;
    r->in++;
    assert(r->count <= SIZE); // SAFE
    assert(r->in - r->out == r->count); // SAFE
    pthread_cond_signal(&r->filled);
    pthread_mutex_unlock(&r->lock);
}

static unsigned char ring_get(struct ring *r) {
    unsigned char byte;
    pthread_mutex_lock(&r->lock);
    while (r->count == 0)
        pthread_cond_wait(&r->filled, &r->lock);
    byte = r->data[r->head]; // SAFE
    r->head = (r->head + 1) % SIZE;
    r->count--;
    r->out++;
    assert((r->head + r->count) % SIZE == r->tail); // SAFE
    assert(r->out <= r->in); // SAFE
    pthread_cond_signal(&r->room);
    pthread_mutex_unlock(&r->lock);
    return byte;
}

static void *writer(void *arg) {
    for (int i = 0; i < 20; i++)
        ring_put(&ring, (unsigned char)('a' + i));
    return arg;
}

static void *reader(void *arg) {
    for (int i = 0; i < 20; i++) {
        unsigned char byte = ring_get(&ring);
        assert(byte >= 'a'); // SAFE
        assert(byte < 'a' + 20); // SAFE
    }
    return arg;
}

int main(void) {
    pthread_t w[2], r[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&w[i], 0, writer, 0);
        pthread_create(&r[i], 0, reader, 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(w[i], 0);
        pthread_join(r[i], 0);
    }
    assert(ring.in == 40); // SAFE
    assert(ring.count == 0); // SAFE
    assert(ring.head == ring.tail); // SAFE
    assert(ring.head == 0); // UNSAFE!
    return 0;
}
