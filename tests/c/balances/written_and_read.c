// A log counts the records that were ever written, ever read, and that are stored now. Each section changes two of the
// three by one, so that what is stored is the difference of the other two.
#include <assert.h>
#include <pthread.h>
#define CAPACITY 8

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static long written, consumed;
static int stored;

static void *producer(void *unused) {
    for (;;) {
        pthread_mutex_lock(&m);
        while (stored == CAPACITY)
            pthread_cond_wait(&changed, &m);
        stored++;
        written++;
        assert(written - consumed == stored); // SAFE
        assert(written - consumed <= CAPACITY); // SAFE
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

static void *consumer(void *unused) {
    for (int n = 0; n < 5; n++) {
        pthread_mutex_lock(&m);
        while (stored == 0)
            pthread_cond_wait(&changed, &m);
        assert(written > consumed); // SAFE
        consumed++;
        stored--;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(c, 0);
    return 0;
}
