// ARGS: --properties assertion,array-bounds
// A serial port: the interrupt puts bytes into a small FIFO, a reader takes them; overruns are counted.
#include <pthread.h>
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
#define DEPTH 4
static pthread_spinlock_t lock;
static unsigned char fifo[DEPTH];
static int level, overruns, errors;

static void *interrupt(void *unused) {
    for (int i = 0; i < 8; i++) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        pthread_spin_lock(&lock);
        if (level < DEPTH) {
            fifo[level] = byte; // SAFE
            level++;
        } else if (overruns < 100) {
            overruns++;
        }
        assert(level >= 1); // SAFE
        pthread_spin_unlock(&lock);
    }
    return 0;
}

static void *reader(void *unused) {
    for (int i = 0; i < 4; i++) {
        int byte = -1;
        pthread_spin_lock(&lock);
        if (level > 0) {
            level--;
            byte = fifo[level]; // SAFE
        }
        pthread_spin_unlock(&lock);
        assert(byte >= -1 && byte <= 255); // SAFE
        assert(byte < 0x80); // UNSAFE!
        assert(overruns == 0); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_spin_init(&lock, 0);
    pthread_create(&a, 0, interrupt, 0);
    pthread_create(&b, 0, reader, 0);
    assert(overruns <= 100); // SAFE
    assert(errors == 0); // SAFE
    return 0;
}
