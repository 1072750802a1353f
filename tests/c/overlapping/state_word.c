// A state and a count in one word, which is loaded once: what one part says is true of the other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define OPEN 0x100
static atomic_uint word;

static void *opener(void *unused) {
    atomic_store(&word, OPEN | 3);
    return 0;
}

static void *looker(void *unused) {
    unsigned seen = atomic_load(&word);
    if (seen & OPEN)
        assert((seen & 0xff) == 3); // SAFE
    else
        assert(seen == 0); // SAFE
    unsigned later = atomic_load(&word);
    if (later & OPEN)
        __goblint_check((seen & 0xff) == 3); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, opener, 0);
    pthread_create(&b, 0, looker, 0);
    return 0;
}
