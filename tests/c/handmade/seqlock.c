// A sequence counter: readers retry while it is odd or has moved.
#include <pthread.h>
#include <assert.h>

static volatile unsigned sequence;
static volatile int low = 1, high = 2;

static void *writer(void *unused) {
    for (int i = 1; i <= 3; i++) {
        sequence++;
        low = i;
        high = i + 1;
        sequence++;
    }
    return 0;
}

static void *reader(void *unused) {
    for (int tries = 0; tries < 4; tries++) {
        unsigned before = sequence;
        if (before & 1) continue;
        int a = low, b = high;
        assert(a >= 1 && a <= 3); // SAFE
        assert(b >= 2 && b <= 4); // SAFE
        if (sequence == before) {
            assert(b == a + 1); // UNKNOWN (versions of a pair)
        } else {
            assert(b == a + 1); // UNSAFE!
        }
    }
    return 0;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w, 0);
    assert(low == 3); // SAFE
    return 0;
}
