// Floating types that compilers have beside those of C: of one size with these, and others.
#include <assert.h>

#define KIND(e) _Generic((e), float: 1, double: 2, long double: 3, _Float32: 4, _Float64: 5, _Float128: 6, default: 7)

_Float32 narrow;
_Float64 plain;
__float128 wide;
_Complex _Float32 pair;
double real;

int main(void) {
    assert(KIND(plain) == 5); // SAFE
    __goblint_check(KIND(plain) == 2); // UNSAFE!
    assert(KIND(plain + real) == 5); // SAFE
    assert(KIND(narrow + real) == 2); // SAFE
    assert(KIND(wide) == 6); // SAFE
    __goblint_check(KIND(wide) == 3); // UNSAFE!
    assert(sizeof pair == 2 * sizeof narrow); // SAFE
    assert(!__builtin_types_compatible_p(_Float64, double)); // SAFE
    __goblint_check(__builtin_types_compatible_p(_Float32, float)); // UNSAFE!
    return 0;
}
