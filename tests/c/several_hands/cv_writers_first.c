// ARGS: --properties assertion,data-race
// A writer-preferring lock made of a mutex and a condition, as in textbooks.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t can_read = PTHREAD_COND_INITIALIZER, can_write = PTHREAD_COND_INITIALIZER;
static int readers, writers, waiting;
static int x, y;

static void read_lock(void) {
    pthread_mutex_lock(&m);
    while (writers > 0 || waiting > 0)
        pthread_cond_wait(&can_read, &m);
    assert(writers == 0); // SAFE
    readers++;
    pthread_mutex_unlock(&m);
}

static void read_unlock(void) {
    pthread_mutex_lock(&m);
    assert(readers > 0); // SAFE
    if (--readers == 0)
        pthread_cond_signal(&can_write);
    pthread_mutex_unlock(&m);
}

static void write_lock(void) {
    pthread_mutex_lock(&m);
    waiting++;
    while (writers > 0 || readers > 0)
        pthread_cond_wait(&can_write, &m);
    waiting--;
    assert(waiting >= 0); // SAFE
    assert(writers == 0 && readers == 0); // SAFE
    writers = 1;
    pthread_mutex_unlock(&m);
}

static void write_unlock(void) {
    pthread_mutex_lock(&m);
    assert(writers == 1); // SAFE
    writers = 0;
    pthread_cond_signal(&can_write);
    pthread_cond_broadcast(&can_read);
    pthread_mutex_unlock(&m);
}

static void *writer(void *arg) {
    (void)arg;
    for (int i = 0; i < 20; i++) {
        write_lock();
        assert(x == y); // SAFE
        x++;
        y++;
        write_unlock();
    }
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    for (int i = 0; i < 20; i++) {
        read_lock();
        int a = x;
        int b = y;
        assert(a == b); // SAFE
        read_unlock();
    }
    return NULL;
}

int main(void) {
    pthread_t w1, w2, r1, r2;
    pthread_create(&w1, NULL, writer, NULL);
    pthread_create(&w2, NULL, writer, NULL);
    pthread_create(&r1, NULL, reader, NULL);
    pthread_create(&r2, NULL, reader, NULL);
    pthread_join(w1, NULL);
    pthread_join(w2, NULL);
    pthread_join(r1, NULL);
    pthread_join(r2, NULL);
    assert(readers == 0); // SAFE
    assert(writers == 0 && waiting == 0); // SAFE
    assert(x == 40); // SAFE
    return 0;
}
