// An array that grows: its elements stay, its address may not.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *small = malloc(8), *large;

    if (small == NULL)
        return 1;
    small[0] = 1;
    small[1] = 2;
    large = realloc(small, 1 << 20);
    if (large == NULL)
        return 1;
    if (large[1] == 2)
        large[1] = 3;
    assert(large[1] == 3); // UNKNOWN (one cell stands for all elements, of any value at first)
    assert(large[0] == 1); // UNKNOWN (one cell stands for all elements, of any value at first)
    if (large != small)
        assert(0); // UNSAFE!
    return 0;
}
