// ARGS: --properties array-bounds
// An object of the heap may be smaller than the structure that a pointer to it is of: what of that is there may be used.
#include <stdlib.h>

struct pair {
    int first, second;
};
struct six {
    int value[6];
};
struct named {
    int length;
    char text[64];
};
void *table[4];

int main(int count, char **arguments) {
    (void)arguments;
    struct six *small = malloc(8);
    if (!small)
        return 1;
    small->value[1] = 1; // SAFE
    struct named *name = malloc(sizeof(int) + 8);
    if (!name)
        return 1;
    name->length = 8; // SAFE
    name->text[7] = 0; // SAFE
    for (int i = 0; i < 2; i++) {
        table[i] = malloc(sizeof(struct pair));
        if (!table[i])
            return 1;
    }
    for (int i = 2; i < 4; i++) {
        table[i] = malloc(sizeof(struct six));
        if (!table[i])
            return 1;
    }
    if (count < 0 || count > 3)
        return 0;
    struct six *any = table[count];
    if (!any)
        return 1;
    any->value[1] = 1; // SAFE
    return 0;
}
