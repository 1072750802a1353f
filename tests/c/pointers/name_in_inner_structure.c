// ARGS: --properties assertion,array-bounds
// The twin of bytes_of_inner_structure: only the array is given away, so that what lies behind it stays what it is.
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
        at[i] = 0; // SAFE
}

int main(void)
{
    table.size = 3;
    table.entry.value = 7;
    clear(table.entry.name, sizeof table.entry.name);
    assert(table.entry.value == 7); // SAFE
    assert(table.size == 3); // SAFE
    return 0;
}
