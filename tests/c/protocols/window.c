// ARGS: --properties assertion,overflow
// A sliding window: what is sent is ahead of what is acknowledged by at most the window.
#include <pthread.h>
#include <assert.h>

#define WINDOW 4
#define LAST 100
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sent, acknowledged;

static void *sender(void *unused) {
    while (1) {
        pthread_mutex_lock(&lock);
        int ahead = sent - acknowledged; // SAFE
        if (ahead < WINDOW && sent < LAST)
            sent = sent + 1; // SAFE
        assert(sent <= LAST); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *receiver(void *unused) {
    while (1) {
        pthread_mutex_lock(&lock);
        if (acknowledged < sent)
            acknowledged = acknowledged + 1; // SAFE
        assert(acknowledged <= sent); // SAFE
        pthread_mutex_unlock(&lock);
        assert(acknowledged == sent); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    return 0;
}
