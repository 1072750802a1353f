// ARGS: --properties assertion,array-bounds
// An allocator of blocks linked by index: the free list and a count of free blocks under one lock.
#include <assert.h>
#include <pthread.h>

#define BLOCKS 16
#define NONE (-1)

static int next_free[BLOCKS];
static int head = NONE;
static int free_count;
static int payload[BLOCKS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void pool_init(void) {
    for (int i = 0; i < BLOCKS; i++)
        next_free[i] = i + 1 < BLOCKS ? i + 1 : NONE; // SAFE
    head = 0;
    free_count = BLOCKS;
}

static int block_alloc(void) {
    pthread_mutex_lock(&lock);
    int block = head;
    if (block != NONE) {
        assert(block >= 0 && block < BLOCKS); // SAFE
        head = next_free[block]; // SAFE
        assert(free_count > 0); // SAFE
        free_count--;
    } else {
        assert(free_count == 0); // UNKNOWN (the length of a list)
    }
    pthread_mutex_unlock(&lock);
    return block;
}

static void block_free(int block) {
    pthread_mutex_lock(&lock);
    next_free[block] = head; // SAFE
    head = block;
    free_count++;
    assert(free_count <= BLOCKS); // SAFE
    assert(head != NONE); // SAFE
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg) {
    int mine[4];
    for (int round = 0; round < 3; round++) {
        int got = 0;
        for (int i = 0; i < 4; i++) {
            int b = block_alloc();
            if (b == NONE)
                break;
            payload[b] = (int)(long)arg; // SAFE
            mine[got++] = b; // SAFE
        }
        assert(got <= 4); // SAFE
        while (got > 0) {
            int b = mine[--got]; // SAFE
            assert(payload[b] == (int)(long)arg); // UNKNOWN (who has a block)
            block_free(b);
        }
    }
    return 0;
}

int main(void) {
    pthread_t t[3];
    pool_init();
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(free_count == BLOCKS); // SAFE
    assert(head != NONE); // UNKNOWN (the length of a list)
    assert(head == 15); // UNSAFE!
    return 0;
}
