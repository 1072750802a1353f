// Servers count requests and errors under a lock, and lower what is left: who looks twice finds no less, or no more.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long requests;
static int left = 1000;

static void *server(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        requests++;
        if (left > 0)
            left -= 1;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *monitor(void *unused) {
    pthread_mutex_lock(&lock);
    long before = requests;
    int left_before = left;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    long after = requests;
    int left_after = left;
    pthread_mutex_unlock(&lock);
    assert(after >= before); // SAFE
    assert(left_after <= left_before); // SAFE
    assert(left_after == left_before); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, server, 0);
    pthread_create(&b, 0, server, 0);
    pthread_create(&c, 0, monitor, 0);
    pthread_join(c, 0);
    return 0;
}
