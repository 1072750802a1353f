// A status word that comes from outside is used only if it is one of two values; each part of it tells the other ones.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
#define READY 0x8000u

static void *look(void *unused) {
    unsigned seen = __VERIFIER_nondet_uint();
    if (seen & 1)
        seen = 0x18000;
    if (seen != 0 && seen != 0x18000)
        return 0;
    if (seen & READY)
        assert(seen >> 16 == 1); // SAFE
    else
        assert(seen >> 16 == 1); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, look, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
