// ARGS: --properties assertion
// Throttling: above two thirds of the capacity the gate closes, below one third it opens.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define CAP 30
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int level;
static bool closed;

static void *fill(void *p) {
    for (int round = 0; round < 40; round++) {
        pthread_mutex_lock(&m);
        if (!closed && level < CAP) {
            level++;
            if (3 * level > 2 * CAP)
                closed = true;
        }
        assert(closed || 3 * level <= 2 * CAP); // SAFE
        assert(level <= 21); // SAFE
        pthread_mutex_unlock(&m);
    }
    return p;
}

static void *drain(void *p) {
    for (int round = 0; round < 40; round++) {
        pthread_mutex_lock(&m);
        if (level > 0)
            level--;
        if (3 * level < CAP)
            closed = false;
        assert(!closed || 3 * level >= CAP); // SAFE
        assert(level >= 0); // SAFE
        pthread_mutex_unlock(&m);
    }
    return p;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, fill, 0);
    pthread_create(&t[1], 0, fill, 0);
    pthread_create(&t[2], 0, drain, 0);
    pthread_join(t[0], 0);
    return 0;
}
