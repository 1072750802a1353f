// Identifiers that were handed out are multiples of sixteen plus a slot; comparisons leave single values.
#include <pthread.h>
#include <assert.h>

int slot;

void *owner(void *unused) {
    slot = 16;
    slot = 33;
    slot = 50;
    return 0;
}

void *user(void *unused) {
    int mine = slot;
    if (mine > 16 && mine < 50)
        assert(mine == 33); // SAFE
    if (mine != 0 && mine != 16 && mine != 33)
        assert(mine == 50); // SAFE
    assert(mine % 2 == 0 || mine == 33); // SAFE
    assert(mine * 2 != 34); // SAFE
    assert(mine / 17 <= 1); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, owner, 0);
    pthread_create(&b, 0, user, 0);
    return 0;
}
