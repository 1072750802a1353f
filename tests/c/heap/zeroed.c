// calloc gives zeros, malloc anything.
#include <assert.h>
#include <stdlib.h>

struct pair {
    int first;
    int *second;
};

static int *four_numbers(void)
{
    int *found = malloc(4 * sizeof(int));

    if (found == NULL)
        abort();
    return found;
}

int main(void)
{
    struct pair *zeroed = calloc(1, sizeof(struct pair));
    int *numbers = four_numbers();

    if (zeroed == NULL)
        return 1;
    assert(zeroed->first == 0); // SAFE
    assert(zeroed->second == NULL); // SAFE
    numbers[0] = 3;
    numbers[1] = 4;
    assert(numbers[1] == 0); // UNSAFE!
    free(zeroed);
    return 0;
}
