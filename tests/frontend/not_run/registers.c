// Variables that are registers: at file scope they hold whatever the register does, and no variable of such a name.
#include <assert.h>

struct frame {
    unsigned long rsp;
};

register unsigned long stack_pointer asm("rsp");

static unsigned long above(unsigned long rsp)
{
    return rsp + 1;
}

int main(void)
{
    register long kept asm("rbx") = 3;
    struct frame frame;

    frame.rsp = 1;
    assert(kept == 3);             // SAFE
    assert(above(frame.rsp) == 2); // SAFE
    assert(stack_pointer == 0);    // UNSAFE!
    return 0;
}
