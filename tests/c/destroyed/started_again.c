// A mutex that is destroyed and initialised again before any thread uses it, or not initialised again.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t good = PTHREAD_MUTEX_INITIALIZER, bad = PTHREAD_MUTEX_INITIALIZER;
int kept, lost;

void *editor(void *unused) {
    pthread_mutex_lock(&good);
    kept = 1;
    assert(kept == 1); // SAFE
    kept = 0;
    pthread_mutex_unlock(&good);
    pthread_mutex_lock(&bad);
    lost = 1;
    assert(lost == 1); // UNSAFE! (undefined: a destroyed mutex is used)
    lost = 0;
    pthread_mutex_unlock(&bad);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_mutex_destroy(&good);
    pthread_mutex_destroy(&bad);
    pthread_mutex_init(&good, 0);
    pthread_create(&first, 0, editor, 0);
    pthread_create(&second, 0, editor, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_mutex_destroy(&good);
    return 0;
}
