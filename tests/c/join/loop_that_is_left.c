// Loops whose bound is not what it seems: left early, run twice, with a counter that is changed elsewhere.
#include <pthread.h>
#include <assert.h>

int __VERIFIER_nondet_int(void);
static int done[3], twice, moved;

static void *member(void *argument) {
    done[(long)argument] = 1;
    return 0;
}

static void *other(void *unused) {
    twice = 1;
    return 0;
}

static void *mover(void *argument) {
    moved = *(int *)argument;
    return 0;
}

int main(void) {
    pthread_t team[3], pair[2], movers[4];
    int i, count = 0, k;
    for (i = 0; i < 3; i++) {
        if (i == 2 && __VERIFIER_nondet_int()) break;
        pthread_create(&team[i], 0, member, (void *)(long)i);
    }
    assert(i >= 2 && i <= 3); // SAFE
    for (int j = 0; j < i; j++) {
        pthread_join(team[j], 0);
        assert(done[0] == 1); // SAFE
    }
    assert(done[1] == 1); // SAFE
again:
    twice = 0;
    for (i = 0; i < 1; i++) pthread_create(&pair[count], 0, other, 0);
    assert(twice == 0); // UNSAFE!
    if (++count < 2) goto again;
    pthread_join(pair[1], 0);
    twice = 2;
    assert(twice == 2); // UNSAFE!
    for (k = 0; k < 4; k++) {
        int *counter = &k;
        pthread_create(&movers[k], 0, mover, counter);
        pthread_join(movers[k], 0);
        assert(moved >= 0); // SAFE
        if (__VERIFIER_nondet_int()) ++*counter;
    }
    assert(k == 4); // UNSAFE!
    assert(done[2] == 1); // UNSAFE!
    return 0;
}
