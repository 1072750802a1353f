// A function that is given another one, and an array of functions that changes.
#include <assert.h>

static int total;

static void add(int value)
{
    total += value;
}

static void clear(int value)
{
    (void)value;
    total = 0;
}

static void for_each(void (*function)(int), int count)
{
    int i;

    for (i = 0; i < count; i++)
        function(1);
}

int main(void)
{
    void (*steps[2])(int) = {add, clear};

    for_each(clear, 3);
    assert(total == 0); // SAFE
    steps[0](5);
    assert(total == 5); // SAFE
    steps[0] = clear;
    steps[0](5);
    assert(total == 0); // SAFE
    for_each(add, 2);
    assert(total == 2); // SAFE
    assert(total == 0); // UNSAFE!
    return 0;
}
