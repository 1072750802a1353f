// Where objects are is known to nobody: a number that is followed may lead to any of them, whatever it is. Only one that
// is written out, as those of device registers are, leads to none of the program's (an assumption of the report).
#include <assert.h>

struct registers {
    unsigned control, status;
};

extern long __VERIFIER_nondet_long(void);
int single, many[3];
struct {
    int member;
    char bytes[4];
} record;
int *volatile a = &single, *volatile b = many;
void *volatile c = &record;
static volatile struct registers *const device = (struct registers *)0x40001000;

int main(void)
{
    long number = __VERIFIER_nondet_long();
    struct registers *other = (struct registers *)0x50000000;

    device->control = 1;
    other[1].status = 2;
    *(int *)0x404040 = 3;
    assert(single == 0); // SAFE
    assert(many[1] == 0); // SAFE
    assert(record.member == 0); // SAFE
    if (number > 0x10000 && number < 0x500000)
        *(int *)number = 5;
    assert(single == 0); // UNSAFE!
    assert(many[1] == 0); // UNSAFE!
    assert(record.member == 0); // UNSAFE!
    assert(record.bytes[1] == 0); // UNSAFE!
    return 0;
}
