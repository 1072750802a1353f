// What threads have been granted, which each gives back as its result, is what all have been granted together.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left = 10, granted;

static int take(void) {
    int ok = 0;
    pthread_mutex_lock(&lock);
    if (left >= 2) {
        left -= 2;
        granted += 2;
        ok = 1;
    }
    pthread_mutex_unlock(&lock);
    return ok;
}

static void *client(void *unused) {
    int got = 0;
    for (int i = 0; i < 4; i++)
        if (take())
            got++;
    return (void *)(long)got;
}

int main(void) {
    pthread_t clients[2];
    long got = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&clients[i], 0, client, 0);
    for (int i = 0; i < 2; i++) {
        void *result;
        pthread_join(clients[i], &result);
        got += (long)result;
    }
    assert(granted == 2 * got); // SAFE
    assert(granted >= got); // SAFE
    assert(granted > 2 * got); // UNSAFE!
    return 0;
}
