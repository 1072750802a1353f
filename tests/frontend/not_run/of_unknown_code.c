// What unknown code returns may be a part of an address; in a type without room for one it is a number all the same.
#include <assert.h>

struct item {
    int a;
};

struct item item;
int number(struct item *item);
unsigned char byte(struct item *item);

int main(void)
{
    int found = number(&item), more;

    assert(found < 8); // UNSAFE!
    found = number(&item);
    if (found < 0 || found >= 8)
        return 0;
    assert(found >= 0 && found < 8); // SAFE
    more = found + 1;
    assert(more >= 1 && more <= 8); // SAFE
    assert(more <= 7); // UNSAFE!
    found = byte(&item);
    assert(found <= 255); // SAFE
    assert(found >> 5 <= 7); // SAFE
    assert(found >> 5 <= 6); // UNSAFE!
    assert((found + 1) % 8 >= 0); // SAFE
    switch (found) {
    case 3:
        assert(found == 3); // SAFE
    }
    return 0;
}
