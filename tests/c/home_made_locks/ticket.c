// A ticket lock: tickets are drawn atomically and served in their order. Two customers, so that the numbers tell who is
// inside: a drawn ticket is served by nobody else, as each is drawn once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int inside, served;

static void *customer(void *unused) {
    unsigned mine = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != mine)
        ;
    inside++;
    assert(inside == 1); // SAFE
    served++;
    inside--;
    atomic_fetch_add(&serving, 1);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, customer, 0);
    pthread_create(&b, 0, customer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(served == 2); // SAFE
    assert(inside == 0); // SAFE
    return 0;
}
