// Blocks of a fixed pool: a stack of the indices of free ones, under a lock.
#include <assert.h>
#include <pthread.h>

#define BLOCKS 4
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int free_blocks[BLOCKS] = {0, 1, 2, 3};
static int top = BLOCKS, in_use;

static int allocate(void) {
    int block = -1;
    pthread_mutex_lock(&lock);
    if (top > 0) {
        top--;
        block = free_blocks[top];
        in_use++;
    }
    assert(top + in_use == BLOCKS); // SAFE
    pthread_mutex_unlock(&lock);
    return block;
}

static void release(int block) {
    pthread_mutex_lock(&lock);
    assert(top < BLOCKS); // SAFE
    free_blocks[top] = block;
    top++;
    in_use--;
    assert(in_use >= 0); // SAFE
    pthread_mutex_unlock(&lock);
}

static void *user(void *unused) {
    int block = allocate();
    if (block >= 0) {
        assert(block < BLOCKS); // SAFE
        release(block);
    } else {
        __goblint_check(0); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t t[5];
    for (int i = 0; i < 5; i++)
        pthread_create(&t[i], 0, user, 0);
    for (int i = 0; i < 5; i++)
        pthread_join(t[i], 0);
    assert(top == BLOCKS); // SAFE
    assert(in_use == 0); // SAFE
    return 0;
}
