// Mailboxes go from empty to writing to full to reading and back, each step by compare and swap of the state.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define BOXES 2
enum { EMPTY, WRITING, FULL, READING };

struct box {
    atomic_int state;
    int letter, copy;
};

static struct box boxes[BOXES];

static int step(struct box *b, int from, int to) {
    return atomic_compare_exchange_strong(&b->state, &from, to);
}

static void *writer(void *arg) {
    int me = 1 + (int)(long)arg;
    for (int i = 0; i < 4; i++) {
        struct box *b = &boxes[i % BOXES];
        if (!step(b, EMPTY, WRITING))
            continue;
        b->letter = me;
        b->copy = me;
        assert(b->letter == me); // SAFE
        atomic_store(&b->state, FULL);
    }
    return 0;
}

static void *reader(void *arg) {
    for (int i = 0; i < 4; i++) {
        struct box *b = &boxes[(i + 1) % BOXES];
        if (!step(b, FULL, READING))
            continue;
        assert(b->letter >= 1); // SAFE
        assert(b->letter == b->copy); // SAFE
        b->letter = 0;
        b->copy = 0;
        atomic_store(&b->state, EMPTY);
    }
    return arg;
}

int main(void) {
    pthread_t w[2], r;
    for (long i = 0; i < 2; i++)
        pthread_create(&w[i], 0, writer, (void *)i);
    pthread_create(&r, 0, reader, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(w[i], 0);
    pthread_join(r, 0);
    for (int i = 0; i < BOXES; i++)
        assert(boxes[i].state == EMPTY || boxes[i].state == FULL); // SAFE
    return 0;
}
