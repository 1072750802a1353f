// A table that whoever comes first fills.
#include <assert.h>
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table[32], ready, inits;
static void init(void) {
    for (int i = 0; i < 32; i++) table[i] = 2 * i + 1;
    inits++;
    ready = 1;
}
static void *user(void *u) {
    pthread_once(&once, init);
    assert(ready == 1); // SAFE
    assert(inits == 1); // SAFE
    for (int i = 0; i < 32; i++) {
        assert(table[i] > 0); // UNKNOWN (what an element is by its index)
        assert(table[i] == 2 * i + 1); // UNKNOWN (what an element is by its index)
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    assert(inits == 1); // SAFE
    return 0;
}
