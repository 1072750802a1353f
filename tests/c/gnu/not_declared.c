// Compilers know functions that no header declares, each with its own type: what they give need not be an int.
#include <assert.h>
#include <pthread.h>

static long far_away;
static int doubled;

static void *measure(void *unused)
{
    long seen = __builtin_fma(1e6, 1e7, 1);

    assert(seen == 10000000000001);                         // UNKNOWN (floating values are not tracked)
    __goblint_check(seen <= 2147483647);                    // UNSAFE!
    __goblint_check((int)seen == seen);                     // UNSAFE!
    far_away = __builtin_speculation_safe_value(1L << 40);
    return unused;
}

static void *halve(void *unused)
{
    doubled = 2 * fma(0.5, 1, 0);
    __goblint_check(doubled % 2 == 0);                      // UNSAFE!
    return unused;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, 0, measure, 0);
    pthread_create(&two, 0, halve, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    __goblint_check(far_away <= 2147483647);                // UNSAFE!
    __goblint_check(far_away >> 40 == 0);                   // UNSAFE!
    return 0;
}
