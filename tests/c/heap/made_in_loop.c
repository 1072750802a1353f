// Parcels that a loop makes, in a thread: the first one stays on the desk.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct parcel { int weight, fee; };

static struct parcel *desk;

static void *sender(void *unused) {
    for (int i = 1; i <= 2; i++) {
        struct parcel *p = malloc(sizeof *p);
        if (!p)
            abort();
        p->weight = i;
        p->fee = 2 * i;
        assert(p->fee == 2 * p->weight); // SAFE
        if (!desk)
            desk = p;
        desk->fee++;
        __goblint_check(p->fee == 2 * p->weight); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, sender, 0);
    pthread_join(thread, 0);
    assert(desk->weight == 1); // SAFE
    assert(desk->fee == 4); // SAFE
    __goblint_check(desk->fee == 3); // UNSAFE!
    return 0;
}
