// As packets.c, but the bytes are counted before the lock is taken, by an operation that is atomic by itself.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
static int packets;
static atomic_int bytes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *receive(void *unused) {
    int length = __VERIFIER_nondet_uchar();
    if (length >= 20 && length <= 60) {
        atomic_fetch_add(&bytes, length);
        pthread_mutex_lock(&lock);
        packets++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *report(void *unused) {
    pthread_mutex_lock(&lock);
    int counted = packets, seen = bytes;
    pthread_mutex_unlock(&lock);
    __goblint_check(seen <= 60 * counted); // UNSAFE!
    __goblint_check(seen >= 20 * counted); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, receive, 0);
    pthread_create(&b, 0, report, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
