// A ring with remainders: how many are in it is how far its ends are apart.
#include <assert.h>
#include <pthread.h>
#define N 16
static int buf[N];
static int head, tail, count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t nonempty = PTHREAD_COND_INITIALIZER, nonfull = PTHREAD_COND_INITIALIZER;
static void *producer(void *arg) {
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&m);
        while (count == N) pthread_cond_wait(&nonfull, &m);
        assert(head >= 0 && head < N); // SAFE
        assert((tail + count) % N == head); // SAFE
        __goblint_check(tail + count == head); // UNSAFE!
        buf[head] = i;
        head = (head + 1) % N;
        count++;
        assert(count <= N); // SAFE
        pthread_cond_signal(&nonempty);
        pthread_mutex_unlock(&m);
    }
    return 0;
}
static void *consumer(void *arg) {
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&m);
        while (count == 0) pthread_cond_wait(&nonempty, &m);
        int v = buf[tail];
        assert(v >= 0 && v < 100); // SAFE
        tail = (tail + 1) % N;
        count--;
        assert(count >= 0); // SAFE
        assert((head - tail - count) % N == 0); // SAFE
        pthread_cond_signal(&nonfull);
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t p, c;
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    return 0;
}
