// Readers and a writer that wait for each other by a condition: a count of readers and a flag of the writer.
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing;
static int left, right;

static void *reader(void *unused) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&guard);
        while (writing) pthread_cond_wait(&changed, &guard);
        readers++;
        assert(writing == 0); // SAFE
        pthread_mutex_unlock(&guard);
        assert(writing == 0); // SAFE
        assert(left == right); // SAFE
        assert(left == 0); // UNSAFE!
        pthread_mutex_lock(&guard);
        readers--;
        if (readers == 0) pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&guard);
    }
    return 0;
}

static void *writer(void *unused) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&guard);
        while (readers > 0 || writing) pthread_cond_wait(&changed, &guard);
        writing = 1;
        pthread_mutex_unlock(&guard);
        assert(writing == 1); // SAFE
        left = i;
        right = i;
        assert(left == i); // SAFE
        assert(readers == 0); // SAFE
        pthread_mutex_lock(&guard);
        writing = 0;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&guard);
    }
    return 0;
}

int main(void) {
    pthread_t r, w;
    pthread_create(&r, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    pthread_join(r, 0);
    pthread_join(w, 0);
    assert(writing == 0); // SAFE
    assert(left >= 0 && left < 4); // SAFE
    assert(left == right); // SAFE
    return 0;
}
