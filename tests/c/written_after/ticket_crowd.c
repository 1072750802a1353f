// A ticket lock that any number of threads share; the first to come sets the price, which then only rises.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_uint next_ticket, now_serving;
static int price, inside, buyers;

static unsigned enter(void) {
    unsigned mine = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&now_serving) != mine)
        ;
    return mine;
}

static void leave(void) {
    atomic_fetch_add(&now_serving, 1);
}

static void *buy(void *unused) {
    enter();
    inside++;
    assert(inside == 1); // SAFE
    int old = price;
    if (old == 0)
        price = 10;
    else
        price = old + 1;
    assert(price == old + 1 || price == 10); // SAFE
    assert(price >= 10); // SAFE
    buyers++;
    assert(buyers >= 1); // SAFE
    __goblint_check(price == 10); // UNSAFE!
    inside--;
    assert(inside == 0); // SAFE
    leave();
    return 0;
}

int main(int argc, char **argv) {
    int threads = argc > 1 ? atoi(argv[1]) : 3;
    for (int i = 0; i < threads; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, buy, 0);
        pthread_detach(thread);
    }
    __goblint_check(inside == 0); // UNSAFE!
    enter();
    assert(inside == 0); // SAFE
    assert(price == 0 || price >= 10); // SAFE
    __goblint_check(price >= 10); // UNSAFE!
    leave();
    return 0;
}
