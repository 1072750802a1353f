// A document is edited by one thread and saved by another one when it has changed; main stops both.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int version, saved;
static bool is_dirty, is_closing;

static void *editor(void *unused) {
    for (int i = 0; i < 8; i++) {
        pthread_mutex_lock(&lock);
        version++;
        is_dirty = true;
        assert(saved < version); // SAFE
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *saver(void *unused) {
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!is_dirty && !is_closing)
            pthread_cond_wait(&changed, &lock);
        if (!is_dirty)
            break;
        assert(saved < version); // SAFE
        saved = version;
        is_dirty = false;
    }
    assert(is_closing); // SAFE
    assert(saved == version); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t e, s;
    pthread_create(&e, 0, editor, 0);
    pthread_create(&s, 0, saver, 0);
    pthread_join(e, 0);
    pthread_mutex_lock(&lock);
    __goblint_check(saved == version); // UNSAFE!
    is_closing = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(s, 0);
    assert(version == 8); // SAFE
    assert(saved == 8); // SAFE
    return 0;
}
