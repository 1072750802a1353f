// ARGS: --properties assertion,data-race
// Readers and writers with a monitor.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing; // SAFE
static int a = 1, b = 1; // SAFE

static void *reader(void *unused) {
    pthread_mutex_lock(&m);
    while (writing)
        pthread_cond_wait(&changed, &m);
    readers++;
    assert(!writing); // SAFE
    pthread_mutex_unlock(&m);

    assert(a == b); // SAFE

    pthread_mutex_lock(&m);
    assert(readers > 0); // SAFE
    assert(!writing); // SAFE
    if (--readers == 0)
        pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
    return 0;
}

static void *writer(void *unused) {
    pthread_mutex_lock(&m);
    while (writing || readers > 0)
        pthread_cond_wait(&changed, &m);
    writing = 1;
    pthread_mutex_unlock(&m);

    a++;
    b++;
    assert(a == b); // SAFE

    pthread_mutex_lock(&m);
    assert(writing == 1); // SAFE
    assert(readers == 0); // SAFE
    writing = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t r[3], w[2];
    for (int i = 0; i < 3; i++)
        pthread_create(&r[i], 0, reader, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&w[i], 0, writer, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(r[i], 0);
    for (int i = 0; i < 2; i++)
        pthread_join(w[i], 0);
    assert(a == b); // SAFE
    assert(readers == 0); // SAFE
    return 0;
}
