// A thread gives the address of its buffer to a helper for a while, and takes no further step on it before it has
// joined the helper: then it is its own again, for a second helper.
#include <assert.h>
#include <pthread.h>

struct buffer { int used; char bytes[16]; };

static void *fill(void *b) {
    ((struct buffer *)b)->used = 16;
    return 0;
}

static void *empty(void *b) {
    ((struct buffer *)b)->used = 0;
    return 0;
}

static void *owner(void *unused) {
    struct buffer mine;
    pthread_t helper;
    mine.used = 1;
    assert(mine.used == 1); // SAFE
    if (pthread_create(&helper, 0, fill, &mine))
        return 0;
    pthread_join(helper, 0);
    assert(mine.used == 16); // SAFE
    mine.used = 8;
    assert(mine.used == 8); // SAFE
    if (pthread_create(&helper, 0, empty, &mine))
        return 0;
    pthread_join(helper, 0);
    assert(mine.used == 0); // SAFE
    return 0;
}

int main(void) {
    pthread_t t;
    if (pthread_create(&t, 0, owner, 0))
        return 1;
    pthread_join(t, 0);
    return 0;
}
