// Pages move between a free count, a clean count and a dirty count under one lock; the number of all never changes.
#include <assert.h>
#include <pthread.h>

#define PAGES 64

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n_free = PAGES, n_clean, n_dirty;
static int reads, writes, evictions;

static void check(void) {
    assert(n_free + n_clean + n_dirty == PAGES); // SAFE
    assert(n_free >= 0 && n_clean >= 0 && n_dirty >= 0); // SAFE
}

static int load(int write) {
    int ok = 0;
    pthread_mutex_lock(&m);
    if (n_free == 0 && n_clean > 0) {
        n_clean--;
        n_free++;
        evictions++;
    }
    if (n_free > 0) {
        n_free--;
        if (write) {
            n_dirty++;
            writes++;
        } else {
            n_clean++;
            reads++;
        }
        ok = 1;
    }
    check();
    pthread_mutex_unlock(&m);
    return ok;
}

static void *reader(void *unused) {
    for (int i = 0; i < 20; i++)
        load(i % 3 == 0);
    return NULL;
}

static void *flusher(void *unused) {
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&m);
        int batch = n_dirty / 2;
        n_dirty -= batch;
        n_clean += batch;
        check();
        assert(n_dirty <= 7); // UNSAFE!
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void) {
    pthread_t r[3], f;
    for (int i = 0; i < 3; i++)
        pthread_create(&r[i], NULL, reader, NULL);
    pthread_create(&f, NULL, flusher, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(r[i], NULL);
    pthread_join(f, NULL);
    assert(n_clean + n_dirty <= PAGES); // SAFE
    assert(reads + writes - evictions == n_clean + n_dirty); // SAFE
    assert(reads + writes <= 60); // SAFE
    return 0;
}
