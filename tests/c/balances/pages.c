// Pages of a buffer are free, clean or dirty, N_PAGES of them in all. Whoever needs one waits for it on a condition;
// the wait gives the lock back, but only where the counts add up.
#include <assert.h>
#include <pthread.h>
enum { N_PAGES = 6 };

static pthread_mutex_t latch = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_free = PTHREAD_COND_INITIALIZER, has_dirty = PTHREAD_COND_INITIALIZER;
static int free_pages = N_PAGES, clean_pages, dirty_pages;

static void check(void) {
    assert(free_pages + clean_pages + dirty_pages == N_PAGES); // SAFE
    assert(free_pages >= 0 && clean_pages >= 0 && dirty_pages >= 0); // SAFE
}

static void *reader(void *unused) {
    pthread_mutex_lock(&latch);
    while (free_pages == 0)
        pthread_cond_wait(&has_free, &latch);
    free_pages--, clean_pages++;
    check();
    pthread_mutex_unlock(&latch);
    return 0;
}

static void *writer(void *unused) {
    pthread_mutex_lock(&latch);
    if (clean_pages > 0) {
        clean_pages--, dirty_pages++;
        pthread_cond_signal(&has_dirty);
    }
    check();
    pthread_mutex_unlock(&latch);
    return 0;
}

static void *flusher(void *unused) {
    pthread_mutex_lock(&latch);
    for (int rounds = 0; rounds < 3; rounds++) {
        while (dirty_pages == 0)
            pthread_cond_wait(&has_dirty, &latch);
        free_pages += dirty_pages;
        dirty_pages = 0;
        pthread_cond_broadcast(&has_free);
    }
    check();
    pthread_mutex_unlock(&latch);
    return 0;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++) {
        pthread_create(&t, 0, reader, 0);
        pthread_create(&t, 0, writer, 0);
    }
    pthread_create(&t, 0, flusher, 0);
    return 0;
}
