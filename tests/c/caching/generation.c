// Entries carry the generation of the cache; a bump makes them all stale. The copy is compared, then used.
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int generation = 1, entry_generation, entry;

static void *flush(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        if (generation < 100) generation++;
        assert(generation >= 2); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *fill(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        entry = 30;
        entry_generation = generation;
        assert(entry_generation <= generation); // SAFE (needs octagon)
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *use(void *unused) {
    pthread_mutex_lock(&lock);
    int fresh = entry_generation == generation;
    if (fresh) assert(entry == 30); // SAFE
    pthread_mutex_unlock(&lock);
    assert(entry_generation <= 100); // SAFE
    if (fresh) assert(entry_generation == generation); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, flush, 0);
    pthread_create(&b, 0, fill, 0);
    pthread_create(&c, 0, use, 0);
    pthread_join(c, 0);
    assert(generation <= 100); // SAFE
    return 0;
}
