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
    if (large != small)
        assert(0); // UNSAFE!
    assert(large[1] == 1); // UNSAFE!
    assert(large[0] == 1); // UNKNOWN (one cell stands for all elements, of any value at first)
    return 0;
}
