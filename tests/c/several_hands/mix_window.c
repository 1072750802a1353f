// ARGS: --properties assertion,data-race
// A sliding window sender: sequence numbers base <= next <= base + WINDOW.
#include <assert.h>
#include <pthread.h>

#define WINDOW 8
static unsigned base, next_seq; // SAFE
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *send_loop(void *unused) {
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&m);
        while (next_seq - base >= WINDOW)
            pthread_cond_wait(&c, &m);
        unsigned mine = next_seq++;
        assert(mine >= base); // SAFE
        assert(next_seq - base <= WINDOW); // SAFE
        pthread_mutex_unlock(&m);
    }
    return unused;
}

static void *ack_loop(void *unused) {
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&m);
        if (base < next_seq) {
            base++;
            pthread_cond_signal(&c);
        }
        assert(base <= next_seq); // SAFE
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void) {
    pthread_t s, a;
    pthread_create(&s, 0, send_loop, 0);
    pthread_create(&a, 0, ack_loop, 0);
    pthread_join(a, 0);
    pthread_mutex_lock(&m);
    assert(base <= 100); // SAFE
    assert(next_seq <= 100); // SAFE
    assert(next_seq - base <= WINDOW); // SAFE
    pthread_mutex_unlock(&m);
    return 0;
}
