// Each thread gets a record of its own when it first asks for one, by a key that whoever comes first has made.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct record {
    int thread;
    int calls;
};

static pthread_once_t made = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void make(void) {
    pthread_key_create(&key, 0);
}

static struct record *mine(int thread) {
    struct record *r;
    pthread_once(&made, make);
    r = pthread_getspecific(key);
    if (r == 0) {
        r = malloc(sizeof *r);
        if (r == 0)
            exit(1);
        r->thread = thread;
        r->calls = 0;
        pthread_setspecific(key, r);
    }
    r->calls++;
    return r;
}

static void *first(void *unused) {
    struct record *r = mine(1);
    assert(r->thread == 1); // SAFE
    assert(r->calls == 1); // SAFE
    return 0;
}

static void *second(void *unused) {
    struct record *r = mine(2);
    assert(r->thread == 2); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_once(&made, make);
    assert(pthread_getspecific(key) == 0); // SAFE
    return 0;
}
