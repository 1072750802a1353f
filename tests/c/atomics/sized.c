// Operations of a compiler for operands of some size work on unsigned integers, whatever the pointer leads to.
#include <assert.h>

int __VERIFIER_nondet_int(void);
short small = 1;
int number = -1;
long wide = 0xffffffff;
unsigned char byte = 7;
char *text = "a";

int main(void) {
    assert(__sync_sub_and_fetch_2(&small, 3) == 65534); // SAFE
    assert(small == -2);                               // SAFE
    assert(__atomic_load_4(&number, 5) > 0);           // SAFE
    assert(__sync_fetch_and_add_4(&number, 1) == -1);  // SAFE
    assert(number == 0);                               // SAFE
    long before = __sync_val_compare_and_swap_2(&small, -2, 5);
    assert(before == 65534 && small == 5); // SAFE
    int expected = 4;
    assert(!__atomic_compare_exchange_4(&number, &expected, 9, 0, 5, 5)); // SAFE
    assert(expected == 0);                                               // SAFE
    assert(__atomic_exchange_1(&byte, -1, 5) == 7);                      // SAFE
    assert(byte == 255);                                                 // SAFE
    char *found = (char *)__atomic_exchange_8(&text, 0, 5);
    assert(*found == 'a' && text == 0); // UNKNOWN (an address that is a number may have any value)
    small = -1;
    if (__VERIFIER_nondet_int())
        assert(__atomic_load_2(&small, 5) < 0); // UNSAFE!
    __sync_fetch_and_add_4(&wide, 1); // only the lower half
    if (__VERIFIER_nondet_int())
        assert(wide == 0x100000000); // UNSAFE!
    assert(wide == 0);               // SAFE
    return 0;
}
