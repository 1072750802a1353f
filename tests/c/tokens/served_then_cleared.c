// As served.c, but the monitor's colleague starts the count anew; and a short counter of eight bits starts anew by itself.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int requests;
static unsigned char beats = 255;

static void *server(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        requests++;
        beats++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *colleague(void *unused) {
    pthread_mutex_lock(&lock);
    requests = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, server, 0);
    pthread_create(&b, 0, colleague, 0);
    pthread_mutex_lock(&lock);
    int before = requests, first = beats;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    int after = requests, second = beats;
    pthread_mutex_unlock(&lock);
    assert(after >= before); // UNSAFE!
    assert(second >= first); // UNSAFE!
    assert(first >= 0 && first <= 255); // SAFE
    return 0;
}
