// Inline assembler: outputs hold anything; with a "memory" clobber so does all memory; orderings change nothing.
#include <assert.h>

static int shared;

static int either(void)
{
    asm goto("" : : : : other);
    return 1;
other:
    return 2;
}

int main(void)
{
    int local = 7, output = 1;

    shared = 1;
    asm volatile("" ::: "memory");
    assert(shared == 1);                                         // SAFE
    asm volatile("mfence" ::: "memory");
    assert(shared == 1);                                         // SAFE
    if (__VERIFIER_nondet_int())
        asm("movl $5, %0" : "=r"(output));
    assert(output == 1);                                         // UNSAFE!
    assert(shared == 1 && local == 7);                           // SAFE
    if (__VERIFIER_nondet_int())
        asm volatile("movl $6, %0" : "=m"(shared) : : "memory");
    assert(shared == 1);                                         // UNSAFE!
    assert(local == 7);                                          // SAFE
    assert(either() >= 1);                                       // SAFE
    assert(either() == 1);                                       // UNKNOWN (any of the labels may be jumped to)
    return 0;
}
