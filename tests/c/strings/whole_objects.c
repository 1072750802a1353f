// memset and memcpy of whole objects are exact, memset of a part is where it ends between scalars.
#include <assert.h>
#include <string.h>

struct inner {
    short a[3];
    int *pointer;
};

struct outer {
    int id;
    struct inner inner;
    long tail;
};

int target = 5;
struct outer source = {3, {{1, 2, 3}, &target}, 9};

int main(void)
{
    struct outer copy, partial;
    int numbers[4], others[4], last[4];
    int i;

    memset(&copy, 0, sizeof(copy));
    assert(copy.id == 0 && copy.inner.a[2] == 0 && copy.tail == 0); // SAFE
    assert(copy.inner.pointer == NULL); // SAFE
    memcpy(&copy, &source, sizeof(copy));
    assert(copy.id == 3 && copy.inner.a[1] == 2 && copy.tail == 9); // SAFE
    assert(*copy.inner.pointer == 5); // SAFE
    *copy.inner.pointer = 6;
    assert(target == 6); // SAFE
    memset(numbers, 0xff, sizeof(numbers));
    assert(numbers[0] == -1 && numbers[3] == -1); // SAFE
    numbers[2] = 8;
    memcpy(others, numbers, sizeof(others));
    assert(others[2] == 8 && others[1] == -1); // SAFE
    for (i = 0; i < 4; i++)
        last[i] = 1;
    memset(last, 0, 2 * sizeof(int));
    assert(last[3] == 0); // UNSAFE!
    return 0;
}
