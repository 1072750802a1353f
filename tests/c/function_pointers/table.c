// Calls through a constant table of functions, by index.
#include <assert.h>
#include <pthread.h>

static int level;

static void stop(int value)
{
    (void)value;
    level = 0;
}

static void start(int value)
{
    level = value;
}

static void twice(int value)
{
    level = 2 * value;
}

static void (*const handlers[])(int) = {stop, start, twice};

int main(void)
{
    int command;

    handlers[1](4);
    assert(level == 4); // SAFE
    handlers[0](4);
    assert(level == 0); // SAFE
    for (command = 0; command < 3; command++) {
        handlers[command](3);
        assert(level >= 0 && level <= 6); // SAFE
        assert(level < 6); // UNSAFE!
    }
    return 0;
}
