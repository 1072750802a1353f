// A stream that readers share: each takes a chunk of what is left, at most as much as it wants, and notes where it began.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
#define SIZE 256
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int position, length;

static void *feed(void *unused) {
    for (int i = 0; i < 20; i++) {
        int n = __VERIFIER_nondet_int();
        if (n < 0 || n > 32)
            n = 32;
        pthread_mutex_lock(&lock);
        int room = SIZE - length;
        if (n > room)
            n = room;
        length += n;
        assert(position <= length); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *read_chunk(void *unused) {
    int want = __VERIFIER_nondet_int();
    if (want < 0 || want > 16)
        want = 16;
    pthread_mutex_lock(&lock);
    int left = length - position;
    int n = want < left ? want : left;
    int start = position;
    position += n;
    assert(position <= length); // SAFE
    assert(position - start == n); // SAFE
    assert(start + n <= SIZE); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, feed, 0);
    for (int i = 0; i < 8; i++)
        pthread_create(&t, 0, read_chunk, 0);
    return 0;
}
