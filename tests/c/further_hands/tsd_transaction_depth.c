// Nested transactions: how deep a thread is in them is its own affair, how many threads are in one is everybody's.
#include <assert.h>
#include <pthread.h>

static _Thread_local int depth;
static _Thread_local int held;
static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
static int active;
static long commits;

static void begin(void) {
    if (depth++ == 0) {
        pthread_mutex_lock(&big);
        active++;
        held = 1;
    }
    assert(depth >= 1); // SAFE
    assert(held); // SAFE
    // In a transaction this thread has the lock.
    assert(active == 1); // SAFE
}

static void commit(void) {
    assert(depth > 0); // SAFE
    if (--depth == 0) {
        commits++;
        active--;
        held = 0;
        pthread_mutex_unlock(&big);
    }
}

static void nested(void) {
    begin();
    assert(depth == 2); // SAFE
    commit();
}

static void *client(void *arg) {
    for (int i = 0; i < 4; i++) {
        begin();
        nested();
        assert(depth == 1); // SAFE
        commit();
        assert(depth == 0); // SAFE
    }
    assert(!held); // SAFE
    assert(active == 0); // UNSAFE!
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(active == 0); // SAFE
    assert(commits == 8); // SAFE
    assert(depth == 0); // SAFE
    return 0;
}
