// A pointer that was an integer, or was copied byte by byte, leads to any object whose address is taken.
#include <assert.h>
#include <stdint.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

int first = 1, second = 2, hidden = 3;

int main(void)
{
    uintptr_t number = (uintptr_t)&first;
    int *back = (int *)number;
    int *copied, *other = &second;
    char bytes[sizeof(int *)];
    unsigned i;

    *back = 5;
    assert(hidden == 3); // SAFE
    assert(first == 5); // UNKNOWN (it may lead anywhere)
    if (__VERIFIER_nondet_int())
        assert(first == 1); // UNSAFE!
    memcpy(bytes, &other, sizeof(other));
    for (i = 0; i < sizeof(copied); i++)
        ((char *)&copied)[i] = bytes[i];
    *copied = 7;
    assert(second == 2); // UNSAFE!
    return 0;
}
