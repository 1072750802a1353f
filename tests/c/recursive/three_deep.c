// ARGS: --properties assertion,deadlock,data-race
// Functions that lock call others that do so, three deep, in a loop: the holder never waits for itself.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
static int balance = 100; // SAFE
static int entries; // SAFE

static void note(void) {
    pthread_mutex_lock(&m); // SAFE
    entries++;
    pthread_mutex_unlock(&m);
}

static void take(int n) {
    pthread_mutex_lock(&m); // SAFE
    int before = entries;
    if (balance >= n) {
        balance -= n;
        note();
        assert(entries == before + 1); // SAFE
    }
    pthread_mutex_unlock(&m);
}

static void *client(void *arg) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&m); // SAFE
        take(15);
        assert(balance >= 0); // SAFE
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &kind);
    pthread_t a, b;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_join(a, 0); // SAFE
    pthread_join(b, 0); // SAFE
    assert(entries <= 6); // SAFE
    return 0;
}
