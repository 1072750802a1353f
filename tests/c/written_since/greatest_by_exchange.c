// CAS loop keeps the maximum; it never falls.
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
static atomic_int best;
static void offer(int v) {
    int cur = atomic_load(&best);
    while (cur < v && !atomic_compare_exchange_weak(&best, &cur, v)) ;
    assert(atomic_load(&best) >= v); // UNKNOWN (a counter that is only raised by exchange)
}
static void *a(void *x) { for (int i = 0; i < 10; i++) offer(i); return x; }
static void *b(void *x) { for (int i = 20; i > 10; i--) offer(i); return x; }
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, a, 0); pthread_create(&q, 0, b, 0);
    pthread_join(p, 0);
    assert(best >= 9); // UNKNOWN (a counter that is only raised by exchange)
    pthread_join(q, 0);
    assert(best == 20); // UNKNOWN (a counter that is only raised by exchange)
    assert(best < 20); // UNSAFE!
    return 0;
}
