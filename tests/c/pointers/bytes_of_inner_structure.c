// ARGS: --properties assertion,array-bounds
// A structure that begins with an array of bytes lies inside of another one. A pointer to bytes that is made of one to
// it goes along all of it: what lies behind the array is written, too, and no bounds are exceeded.
#include <assert.h>

struct entry {
    unsigned char name[40];
    int value;
};

struct table {
    int size;
    struct entry entry;
};

static struct table table;

static void clear(unsigned char *at, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        at[i] = 0;
}

int main(void)
{
    table.size = 3;
    table.entry.value = 7;
    clear((unsigned char *)&table.entry, sizeof table.entry);
    assert(table.entry.value == 7); // UNSAFE!
    return 0;
}
