// A lock by tickets, written over two plain words with atomic builtins, and the till that it guards.
#include <assert.h>
#include <pthread.h>

static unsigned next_ticket, now_serving;
static int till, sales;

static unsigned turnstile_in(void) {
    unsigned my = __atomic_fetch_add(&next_ticket, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&now_serving, __ATOMIC_ACQUIRE) != my)
        ;
    return my;
}

static void turnstile_out(unsigned my) {
    __atomic_store_n(&now_serving, my + 1, __ATOMIC_RELEASE);
}

static void *seller(void *arg) {
    int price = arg ? 4 : 6;
    for (int i = 0; i < 2; i++) {
        unsigned my = turnstile_in();
        // Being served is being alone here.
        int before = till;
        till += price;
        sales++;
        assert(till == before + price); // SAFE
        assert(till >= 4 * sales); // SAFE
        assert(till <= 6 * sales); // SAFE
        assert(now_serving == my); // SAFE
        assert(next_ticket == my + 1); // UNSAFE!
        turnstile_out(my);
    }
    assert(sales >= 2); // SAFE
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, seller, 0);
    pthread_create(&b, 0, seller, &till);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sales == 4); // SAFE
    assert(till == 20); // SAFE
    assert(now_serving == next_ticket); // SAFE
    return 0;
}
