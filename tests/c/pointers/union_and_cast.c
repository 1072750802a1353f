// Unions, and objects that are looked at as another type: any value, and no write is missed.
#include <assert.h>
#include <string.h>

union number {
    int integer;
    unsigned char bytes[4];
};

struct pair {
    int first, second;
};

int __VERIFIER_nondet_int(void);

int untouched = 6;

int main(void)
{
    union number number;
    struct pair pair = {1, 2};
    unsigned char *bytes = (unsigned char *)&pair;

    number.integer = 1;
    number.bytes[0] = 2;
    if (__VERIFIER_nondet_int())
        assert(number.integer == 1); // UNSAFE!
    bytes[4] = 9;
    assert(pair.first == 1 || pair.second != 2); // SAFE
    assert(untouched == 6); // SAFE
    assert(pair.second == 2); // UNSAFE!
    return 0;
}
