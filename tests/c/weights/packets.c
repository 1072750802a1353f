// Packets have between 20 and 60 bytes, and both are counted in one section.
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

typedef struct counters {
    int packets;
    int bytes;
} counters;

static counters received;
static pthread_spinlock_t lock;

static void account(counters *c, int length) {
    c->packets += 1;
    c->bytes += length;
}

static void *receive(void *unused) {
    int length = __VERIFIER_nondet_uchar();
    if (length < 20 || length > 60)
        return 0; /* not one of ours */
    pthread_spin_lock(&lock);
    account(&received, length);
    pthread_spin_unlock(&lock);
    return 0;
}

static void *report(void *unused) {
    pthread_spin_lock(&lock);
    counters now = received;
    pthread_spin_unlock(&lock);
    assert(now.bytes >= 20 * now.packets); // SAFE
    assert(now.bytes <= 60 * now.packets); // SAFE
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < 3; i++) {
        pthread_create(&t, 0, receive, 0);
        pthread_create(&t, 0, report, 0);
    }
    return 0;
}
