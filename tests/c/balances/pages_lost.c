// As pages.c without waiting, but a page that could not be written goes nowhere: the sum only falls.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t latch = PTHREAD_MUTEX_INITIALIZER;
static int unused_pages = 3, clean_pages, dirty_pages;

static bool written_back(void) { return __VERIFIER_nondet_bool(); }

static void *worker(void *nothing) {
    pthread_mutex_lock(&latch);
    if (unused_pages > 0) {
        unused_pages--;
        dirty_pages++;
    }
    pthread_mutex_unlock(&latch);

    pthread_mutex_lock(&latch);
    if (dirty_pages > 0) {
        dirty_pages--;
        if (written_back())
            clean_pages++;
    }
    __goblint_check(unused_pages + clean_pages + dirty_pages == 3); // UNSAFE!
    __goblint_check(unused_pages + clean_pages + dirty_pages <= 3); // SAFE
    __goblint_check(clean_pages <= 3); // SAFE
    pthread_mutex_unlock(&latch);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
