// Bits of numbers below 0: shifts go down, remainders and quotients are cut off, masks see the two's complement.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int level; // -8 to 7
static unsigned char small;

static void *set(void *unused) {
    int by = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    level = (level & ~3) | (by & 3);
    if (by > 5)
        level = level | -8;
    else if (by < -5)
        level = level & 7;
    assert((level & 3) == (by & 3)); // SAFE
    assert(level % 4 == (by & 3)); // UNSAFE!
    assert(level >> 3 == 0 || level >> 3 == -1); // UNKNOWN (the upper bits of numbers below 0)
    assert(level / 8 == level >> 3); // UNKNOWN (numbers below 0 that ended the program in front of it)
    small = (unsigned char)level;
    assert((small & 7) == (level & 7)); // SAFE
    assert(small < 8 || small >= 248); // SAFE
    pthread_mutex_unlock(&m);
    return unused;
}

static void *get(void *unused) {
    pthread_mutex_lock(&m);
    assert((small & 7) == (level & 7)); // SAFE
    assert((signed char)small == level); // UNKNOWN (the upper bits of numbers below 0)
    assert(small == level); // UNSAFE!
    assert((level & 4) == 0); // SAFE
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, i % 2 ? get : set, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    return 0;
}
