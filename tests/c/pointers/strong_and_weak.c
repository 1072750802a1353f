// A write through a pointer replaces what its only target holds; of two targets either may keep its value.
#include <assert.h>

int __VERIFIER_nondet_int(void);

int a = 1, b = 1, c = 1;

int main(void)
{
    int *only = &a, *either = &b;
    int **far = &only;
    int local = 4, *to_local = &local;

    *only = 2;
    assert(a == 2); // SAFE
    **far = 3;
    assert(a == 3); // SAFE
    *to_local = 5;
    assert(local == 5); // SAFE
    if (__VERIFIER_nondet_int())
        either = &c;
    *either = 9;
    assert((b == 1 || b == 9) && (c == 1 || c == 9)); // SAFE
    if (__VERIFIER_nondet_int())
        assert(b == 9); // UNSAFE!
    assert(c == 1); // UNSAFE!
    return 0;
}
