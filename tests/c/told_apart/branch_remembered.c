// Which branch was taken before is remembered by a local, and the matching one is taken later.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int readers, writers;

static void *access(void *unused) {
    bool is_writer = __VERIFIER_nondet_bool();
    int own_reads = 0, own_writes = 0;
    if (is_writer) {
        pthread_mutex_lock(&lock);
        writers++;
        own_writes = 1;
    } else {
        readers++;
        own_reads = 1;
    }
    assert(own_reads + own_writes == 1); // SAFE
    if (is_writer) {
        assert(own_writes == 1); // SAFE
        assert(writers == 1); // SAFE
        writers--;
        pthread_mutex_unlock(&lock);
    } else {
        assert(own_writes == 0); // SAFE
        __goblint_check(writers == 0); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++)
        pthread_create(&t, 0, access, 0);
    return 0;
}
