// A consumer takes what has come as one batch; producers count what they have sent.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER;
static int waiting, taken, sent, producers = 2;

static void *producer(void *arg) {
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&m);
        int before = sent;
        waiting += 2;
        sent += 2;
        assert(sent == before + 2); // SAFE
        assert(waiting + taken == sent); // SAFE
        pthread_cond_signal(&some);
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m);
    producers--;
    assert(producers >= 0); // SAFE
    pthread_cond_signal(&some);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *consumer(void *arg) {
    int mine = 0;
    for (;;) {
        pthread_mutex_lock(&m);
        while (waiting == 0 && producers > 0)
            pthread_cond_wait(&some, &m);
        int batch = waiting;
        waiting = 0;
        taken += batch;
        int total = taken;
        assert(total == sent); // SAFE
        pthread_mutex_unlock(&m);
        mine += batch;
        assert(mine == total); // SAFE
        if (batch == 0)
            break;
        assert(batch >= 2); // SAFE
        assert(batch % 2 == 0); // SAFE
        assert(batch == 2); // UNSAFE!
    }
    assert(mine == 8); // UNKNOWN (what was sent when all senders have left)
    return arg;
}

int main(void) {
    pthread_t p[2], c;
    pthread_create(&c, NULL, consumer, NULL);
    pthread_create(&p[0], NULL, producer, NULL);
    pthread_create(&p[1], NULL, producer, NULL);
    pthread_join(p[0], NULL);
    pthread_join(p[1], NULL);
    assert(producers == 0); // SAFE
    assert(sent == 8); // SAFE
    pthread_join(c, NULL);
    assert(taken == sent && waiting == 0); // SAFE
    return 0;
}
