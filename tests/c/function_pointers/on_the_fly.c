// What is called first registers what is called next: the graph of calls grows with what pointers point to.
#include <assert.h>

static void (*next)(void);
static int *cell;
static int done, other;

static void third(void)
{
    *cell = 3;
}

static void second(void)
{
    cell = &done;
    next = third;
}

static void first(void)
{
    next = second;
}

int main(void)
{
    next = first;
    next();
    next();
    next();
    assert(done == 3); // SAFE
    assert(other == 0); // SAFE
    assert(done == 0); // UNSAFE!
    return 0;
}
