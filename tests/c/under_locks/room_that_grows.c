// ARGS: --properties assertion
// What is used fits into a room that grows. What a test has added up is assigned behind it, from what was read anew: as
// long as the lock is held that is the same sum. Without the lock, or where something is changed in between, it is not.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int used, room = 8, rest = 64;
static int seen = 8, limit = 8;
static int taken = 8, most = 8;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *arg) {
    for (int i = 0; i < 4; i++) {
        int n = 1 + rand() % 16;
        pthread_mutex_lock(&lock);
        assert(used <= room); // SAFE
        if (room < 64)
            room += 8;
        if (used + n <= room) {
            used += n;
            rest -= n;
        }
        assert(used <= room); // SAFE
        assert(used + rest == 64); // SAFE
        assert(used <= room - 8); // UNSAFE!
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *read_outside(void *arg) {
    int n = 1 + rand() % 4;
    pthread_mutex_lock(&lock);
    if (limit < 12)
        limit += 4;
    int fits = seen + n <= limit;
    pthread_mutex_unlock(&lock);
    if (fits) {
        pthread_mutex_lock(&lock);
        seen += n;
        assert(seen <= limit); // UNSAFE!
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *changed_between(void *arg) {
    int n = 1 + rand() % 4;
    pthread_mutex_lock(&lock);
    if (most < 12)
        most += 4;
    if (taken + n <= most) {
        n++;
        taken += n;
        assert(taken <= most + 1); // SAFE
        assert(taken <= most); // UNSAFE!
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t[2], a, b, c;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, fill, NULL);
    pthread_create(&a, NULL, read_outside, NULL);
    pthread_create(&b, NULL, read_outside, NULL);
    pthread_create(&c, NULL, changed_between, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(used <= room); // SAFE
    return 0;
}
