// ARGS: --properties assertion,array-bounds,null-dereference,data-race
// A pointer is null until another thread sets it. Where it is moved it leads to what it is set to, and to nothing else:
// the first thread is read before it is known what the second one sets.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct block {
    unsigned char *in;
    unsigned filled;
};

static struct block block;
static int total = 7;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void use(struct block *of, unsigned from)
{
    unsigned char *at = of->in + from;
    if (from < of->filled)
        *at = 1; // SAFE
}

static void *consume(void *arg)
{
    for (unsigned i = 0; i < 8; i++) {
        pthread_mutex_lock(&lock);
        if (block.in)
            use(&block, i);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *produce(void *arg)
{
    pthread_mutex_lock(&lock);
    if (!block.in && (block.in = malloc(8)))
        block.filled = 8;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    block.in = 0;
    pthread_create(&one, 0, consume, 0);
    pthread_create(&two, 0, produce, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(total == 7); // SAFE
    return 0;
}
