// A pair that readers take while its number is even and stays the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint seq;
static atomic_int a, b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *writer(void *u) {
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&m);
        assert(seq % 2 == 0); // SAFE
        seq++;
        assert(seq % 2 == 1); // SAFE
        a = i;
        b = -i;
        seq++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}
static void *reader(void *u) {
    unsigned s;
    int x, y;
    do {
        do s = seq; while (s & 1);
        x = a;
        y = b;
    } while (seq != s);
    assert(x + y == 0); // UNKNOWN (a number that is the same again)
    return 0;
}
int main(void) {
    pthread_t w1, w2, r;
    pthread_create(&w1, 0, writer, 0);
    pthread_create(&w2, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w1, 0); pthread_join(w2, 0); pthread_join(r, 0);
    assert(seq % 2 == 0); // SAFE
    assert(a + b == 0); // SAFE
    return 0;
}
