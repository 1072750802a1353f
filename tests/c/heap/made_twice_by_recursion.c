// The twin of made_beside_recursion: the function that allocates is called again by what it calls.
#include <assert.h>
#include <stdlib.h>

struct box {
    struct box *inner;
    int value;
};

static struct box *make(int n)
{
    struct box *box = malloc(sizeof *box);
    if (!box)
        exit(0);
    box->value = n;
    box->inner = n > 0 ? make(n - 1) : NULL;
    return box;
}

int main(void)
{
    struct box *box = make(1);
    assert(box->inner != box); // SAFE
    box->inner->value = 5;
    assert(box->value == 5); // UNSAFE!
    return 0;
}
