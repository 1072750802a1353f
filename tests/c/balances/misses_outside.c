// As hits_and_misses.c in short: a miss is counted only after the value was fetched, in a section of its own. In between
// a lookup is neither a hit nor a miss; there are never more of these than lookups.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lookups, hits, misses;
static int value, is_valid;

static void fetch(void) {
    int fetched = 17; /* takes its time */
    pthread_mutex_lock(&lock);
    value = fetched;
    is_valid = 1;
    misses++;
    pthread_mutex_unlock(&lock);
}

static void *client(void *unused) {
    int hit;
    pthread_mutex_lock(&lock);
    lookups++;
    hit = is_valid;
    if (hit)
        hits++;
    pthread_mutex_unlock(&lock);
    if (!hit)
        fetch();
    return 0;
}

static void *monitor(void *unused) {
    pthread_mutex_lock(&lock);
    __goblint_check(hits + misses == lookups); // UNSAFE!
    __goblint_check(hits <= lookups); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, client, 0);
    pthread_create(&t, 0, client, 0);
    pthread_create(&t, 0, monitor, 0);
    return 0;
}
