// What compilers build in: checked arithmetic, offsets, bytes swapped, bits counted, types compared.
#include <assert.h>
#include <stddef.h>

struct inner {
    int first;
    int rest[4];
};
struct outer {
    char tag;
    struct inner inner;
    struct {
        int hidden;
    };
};
struct flexible {
    int length;
    int data[];
};

_Static_assert(sizeof(struct flexible) == 4, "a flexible array takes no room");

int main(void)
{
    int input = __VERIFIER_nondet_int();
    int result = 0;

    assert(offsetof(struct outer, inner.rest[2]) == 16);        // SAFE
    assert(__builtin_offsetof(struct outer, hidden) == 24);     // SAFE
    if (__builtin_add_overflow(input, 1, &result))
        assert(input == 2147483647);                            // SAFE
    else
        assert(result == input + 1);                            // SAFE
    if (!__builtin_sub_overflow(result, 1, &result))
        assert(result <= 2147483646);                           // SAFE
    assert(__builtin_bswap32(0x01020304) == 0x04030201);        // SAFE
    assert(__builtin_popcount(input) <= 32);                    // SAFE
    if (__builtin_expect(input > 3, 0))
        assert(input >= 4);                                     // SAFE
    assert(__builtin_choose_expr(1, 2, input) == 2);            // SAFE
    assert(!__builtin_types_compatible_p(int, long));           // SAFE
    assert(!__builtin_add_overflow(input, 2, &result));         // UNSAFE!
    return 0;
}
