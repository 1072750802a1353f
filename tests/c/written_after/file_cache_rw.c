// Readers and writers by hand: a mutex, a condition variable, a count of readers, a flag for the writer.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static int readers, writing, waiting;
static int size, checksum;

static void read_lock(void) {
    pthread_mutex_lock(&lock);
    while (writing || waiting)
        pthread_cond_wait(&turn, &lock);
    readers++;
    assert(!writing); // SAFE
    pthread_mutex_unlock(&lock);
}

static void read_unlock(void) {
    pthread_mutex_lock(&lock);
    assert(readers > 0); // SAFE
    assert(!writing); // SAFE
    if (--readers == 0)
        pthread_cond_broadcast(&turn);
    pthread_mutex_unlock(&lock);
}

static void write_lock(void) {
    pthread_mutex_lock(&lock);
    waiting++;
    while (writing || readers > 0)
        pthread_cond_wait(&turn, &lock);
    waiting--;
    assert(waiting >= 0); // SAFE
    assert(readers == 0); // SAFE
    writing = 1;
    pthread_mutex_unlock(&lock);
}

static void write_unlock(void) {
    pthread_mutex_lock(&lock);
    assert(writing); // SAFE
    assert(readers == 0); // SAFE
    writing = 0;
    pthread_cond_broadcast(&turn);
    pthread_mutex_unlock(&lock);
}

static void *reader(void *unused) {
    read_lock();
    int s = size, c = checksum;
    assert(c == 3 * s); // SAFE (needs octagon)
    assert(size == s); // SAFE
    __goblint_check(s > 0); // UNSAFE!
    read_unlock();
    __goblint_check(size == s); // UNSAFE!
    return 0;
}

static void *writer(void *unused) {
    write_lock();
    size++;
    checksum += 3;
    assert(checksum == 3 * size); // SAFE
    write_unlock();
    return 0;
}

int main(void) {
    pthread_t r[2], w[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&r[i], 0, reader, 0);
        pthread_create(&w[i], 0, writer, 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(r[i], 0);
        pthread_join(w[i], 0);
    }
    assert(size == 2); // SAFE
    assert(checksum == 6); // SAFE
    assert(readers == 0 && !writing); // SAFE
    return 0;
}
