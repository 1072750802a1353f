// A lock for readers and writers of two mutexes: the first reader locks writers out, the last one lets them in.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static sem_t room;
static int readers, low, high;

static void begin_read(void) {
    pthread_mutex_lock(&counting);
    assert(readers >= 0); // SAFE
    if (++readers == 1)
        sem_wait(&room);
    pthread_mutex_unlock(&counting);
}

static void end_read(void) {
    pthread_mutex_lock(&counting);
    assert(readers >= 1); // SAFE
    if (--readers == 0)
        sem_post(&room);
    pthread_mutex_unlock(&counting);
}

static void *reader(void *unused) {
    begin_read();
    int a = low, b = high;
    assert(a == b); // UNKNOWN (a lock that the first of several takes and the last gives back)
    assert(low == a); // UNKNOWN (a lock that the first of several takes and the last gives back)
    __goblint_check(a == 0); // UNSAFE!
    end_read();
    return 0;
}

static void *writer(void *unused) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&room);
        low++;
        high++;
        assert(low == high); // SAFE
        sem_post(&room);
    }
    return 0;
}

int main(void) {
    pthread_t r, s, w;
    sem_init(&room, 0, 1);
    pthread_create(&r, 0, reader, 0);
    pthread_create(&s, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    pthread_join(w, 0);
    assert(low == 2 && high == 2); // SAFE
    pthread_join(r, 0);
    pthread_join(s, 0);
    assert(readers == 0); // SAFE
    return 0;
}
