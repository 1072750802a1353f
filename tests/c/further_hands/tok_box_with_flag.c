// A box for one number with a flag and a condition; -1 ends it.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool full;
static int value;

static void put(int v) {
    pthread_mutex_lock(&m);
    while (full)
        pthread_cond_wait(&changed, &m);
    assert(!full); // SAFE
    value = v;
    full = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
}

static int get(void) {
    pthread_mutex_lock(&m);
    while (!full)
        pthread_cond_wait(&changed, &m);
    int v = value;
    assert(v == -1 || (v >= 1 && v <= 5)); // SAFE
    full = false;
    value = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
    return v;
}

static void *sender(void *u) {
    for (int i = 1; i <= 5; i++)
        put(i);
    put(-1);
    return u;
}

int main(void) {
    pthread_t s;
    int sum = 0, n = 0, v;
    pthread_create(&s, 0, sender, 0);
    while ((v = get()) != -1) {
        assert(v == n + 1); // UNKNOWN (what is taken from a box was put in)
        n++;
        sum += v;
    }
    assert(n <= 5); // SAFE
    assert(n == 5); // UNKNOWN (what is taken from a box was put in)
    assert(sum == 15); // UNKNOWN (what is taken from a box was put in)
    pthread_join(s, 0);
    assert(!full && value == 0); // SAFE
    assert(n == 0); // UNSAFE!
    return 0;
}
