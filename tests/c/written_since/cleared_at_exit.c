// Counts of threads, which the destructor of a key takes back.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_key_t key;
static int live;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void destroy(void *p) {
    int *v = p;
    assert(v != 0); // SAFE
    assert(*v >= 0 && *v <= 10); // SAFE
    pthread_mutex_lock(&m);
    assert(live > 0); // SAFE
    live--;
    pthread_mutex_unlock(&m);
    free(v);
}
static void *thread(void *arg) {
    int *v = malloc(sizeof *v);
    if (!v) return 0;
    *v = 0;
    pthread_mutex_lock(&m);
    live++;
    pthread_mutex_unlock(&m);
    pthread_setspecific(key, v);
    for (int i = 0; i < 10; i++) {
        int *w = pthread_getspecific(key);
        assert(w == v); // SAFE
        ++*w;
        assert(*w == i + 1); // SAFE
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_key_create(&key, destroy);
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    assert(live == 0); // SAFE
    pthread_key_delete(key);
    return 0;
}
