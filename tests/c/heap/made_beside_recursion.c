// What allocates calls a function that others call, too, and that is not copied: it allocates once all the same.
#include <assert.h>
#include <stdlib.h>

struct box {
    int value;
};

static int depth(int n)
{
    return n > 0 ? 1 + depth(n - 1) : 0;
}

static struct box *make(int n)
{
    struct box *box = malloc(sizeof *box);
    if (box)
        box->value = depth(n) > 2;
    return box;
}

int main(int argc, char **argv)
{
    (void)argv;
    depth(argc);
    struct box *box = make(argc);
    if (!box)
        return 0;
    box->value = 1;
    box->value = 2;
    assert(box->value == 2); // SAFE
    depth(argc);
    assert(box->value == 2); // SAFE
    return 0;
}
