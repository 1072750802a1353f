// As chunks.c, but what is left is seen in one section, and taken in another one.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
#define SIZE 256
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int position, length;

static void *feed(void *unused) {
    for (int i = 0; i < 4; i++) {
        int n = __VERIFIER_nondet_int();
        if (n < 0 || n > 32)
            n = 32;
        pthread_mutex_lock(&lock);
        int room = SIZE - length;
        if (n > room)
            n = room;
        length += n;
        assert(position <= length); // UNKNOWN (who moves it too far fails before)
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
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    position += n;
    assert(position <= length); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t[5];
    pthread_create(&t[0], 0, feed, 0);
    for (int i = 1; i < 5; i++)
        pthread_create(&t[i], 0, read_chunk, 0);
    for (int i = 0; i < 5; i++)
        pthread_join(t[i], 0);
    return 0;
}
