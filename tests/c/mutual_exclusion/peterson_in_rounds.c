// Peterson's algorithm in rounds: what is equal whenever nobody is inside, and what both have added at the end.
#include <assert.h>
#include <pthread.h>

static int wants0, wants1, turn;
static int x, y, early;

static void *zero(void *unused) {
    for (int i = 0; i < 4; i++) {
        wants0 = 1;
        turn = 1;
        while (wants1 && turn == 1)
            ;
        assert(x == y); // SAFE
        x = x + 1;
        y = y + 1;
        wants0 = 0;
    }
    early = 1;
    return 0;
}

static void *one(void *unused) {
    for (int i = 0; i < 4; i++) {
        wants1 = 1;
        turn = 0;
        while (wants0 && turn == 0)
            ;
        assert(x == y); // SAFE
        x = x + 2;
        assert(x - y == 2); // SAFE
        assert(x <= 12); // SAFE
        assert(x >= 3); // UNSAFE!
        y = y + 2;
        wants1 = 0;
        __goblint_check(x == y); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, zero, 0);
    pthread_create(&b, 0, one, 0);
    pthread_join(a, 0);
    assert(early == 1); // SAFE
    pthread_join(b, 0);
    assert(x == y); // SAFE
    assert(x == 12); // SAFE
    return 0;
}
