// An address that is taken apart and put together again: what is known of the parts says nothing of where it leads.
#include <assert.h>

struct item {
    int a;
};

struct item whole = {1}, halves = {2}, shifted = {3};
long taken(struct item *item);
int half(struct item *item);

int main(void)
{
    long number = taken(&whole);
    unsigned long address = (unsigned long)&halves, other = (unsigned long)&shifted;
    unsigned low = address, high = address >> 32;
    unsigned long twice = other >> 1, page = other / 4096;
    int upper = half(&whole), lower = half(&whole);

    if (number > 100000000) {
        ((struct item *)number)->a = 5;
        assert(whole.a != 5); // UNSAFE!
    }
    if (upper > 1000) {
        ((struct item *)(((unsigned long)upper << 32) | (unsigned)lower))->a = 6;
        assert(whole.a != 6); // UNSAFE!
    }
    if (lower > 100000000) {
        ((struct item *)(long)lower)->a = 7;
        assert(whole.a != 7); // UNSAFE!
    }
    if (high > 5) {
        ((struct item *)(((unsigned long)high << 32) | low))->a = 8;
        assert(halves.a != 8); // UNSAFE!
    }
    if (twice > 100000000) {
        ((struct item *)(twice << 1))->a = 9;
        assert(shifted.a != 9); // UNSAFE!
    }
    if (page > 100000000) {
        ((struct item *)(page * 4096 + other % 4096))->a = 10;
        assert(shifted.a != 10); // UNSAFE!
    }
    assert(low % 64 == 0); // UNSAFE!
    return 0;
}
