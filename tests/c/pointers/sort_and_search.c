// The comparing function of qsort and bsearch gets pointers to elements, and may run any number of times.
#include <assert.h>
#include <stdlib.h>

static int calls;
static int untouched = 1;

static int compare(const void *left, const void *right)
{
    const int *a = left, *b = right;

    calls = 1;
    assert(*a <= 9); // SAFE
    return *a < *b ? -1 : *a > *b;
}

int main(void)
{
    int numbers[3] = {9, 4, 1};
    int key = 4;
    int *found;

    qsort(numbers, 3, sizeof(int), compare);
    assert(untouched == 1); // SAFE
    assert(calls == 0 || calls == 1); // SAFE
    found = bsearch(&key, numbers, 3, sizeof(int), compare);
    assert(found == NULL || untouched == 1); // SAFE
    assert(numbers[0] == 9); // UNSAFE!
    return 0;
}
