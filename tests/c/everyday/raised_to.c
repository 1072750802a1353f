#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
static atomic_int top;
static atomic_int tries;
extern int __VERIFIER_nondet_int(void);
static void raise_to(int v)
{
    int cur = atomic_load(&top);
    while (cur < v) {
        if (atomic_compare_exchange_weak(&top, &cur, v)) {
            break;
        }
        atomic_fetch_add(&tries, 1);
    }
}
static void *t(void *p)
{
    int v = __VERIFIER_nondet_int();
    if (v < 0 || v > 100)
        return p;
    raise_to(v);
    int now = atomic_load(&top);
    assert(now >= v); // SAFE
    assert(now <= 100); // SAFE
    return p;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, t, 0);
    pthread_create(&b, 0, t, 0);
    int before = top;
    int after = top;
    assert(before <= after); // SAFE
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(top >= 0); // SAFE
    return 0;
}
