// ARGS: --properties assertion,null-dereference
// All rows but the first are cleared, however many there are: a pointer in them is null then, or what it was.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct row {
    int *count;
    char *text;
};

static int first = 1, second = 2;

int main(void)
{
    unsigned short rows = (unsigned short)(2 + rand() % 7);
    struct row *row = malloc(rows * sizeof *row);
    if (!row)
        return 0;
    for (int i = 0; i < rows; i++) {
        row[i].count = i % 2 ? &first : &second;
        row[i].text = "none";
    }
    memset(row + 1, 0, sizeof *row * (rows - 1));
    for (int i = 0; i < rows; i++)
        if (row[i].count) // SAFE
            assert(*row[i].count >= 1 && *row[i].count <= 2); // SAFE
    int *count = row[1].count; // SAFE
    assert(count != 0); // UNSAFE!
    return 0;
}
