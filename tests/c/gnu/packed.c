// Attributes of a struct change nothing in the code behind it.
#include <assert.h>

struct __attribute__((packed)) header {
    char tag;
    int length;
};

static int level;

static void raise(int by)
{
    ;
    level = by;
}

int main(void)
{
    struct header header = {1, 2};

    raise(header.length);
    assert(level == 2);                 // SAFE
    assert(sizeof header == 5);         // SAFE
    raise(__VERIFIER_nondet_int());
    assert(level == 2);                 // UNSAFE!
    return 0;
}
