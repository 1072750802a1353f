// ARGS: --model linux --entries opener,closer
// Counters of the kernel: tests and changes in one step.
#include <linux/atomic.h>
#include <linux/bug.h>

atomic_t users = ATOMIC_INIT(1);
unsigned long busy;
int guarded, plain;

void opener(void) {
    if (atomic_dec_and_test(&users)) {
        guarded = 1;
        BUG_ON(guarded != 1); // SAFE
        guarded = 0;
        atomic_inc(&users);
    } else {
        atomic_inc(&users);
        BUG_ON(plain == 1); // UNSAFE!
    }
    if (atomic_cmpxchg(&users, 7, 9) == 7) BUG_ON(1); // SAFE
}

void closer(void) {
    int before = atomic_read(&users);
    plain = 1;
    if (atomic_dec_and_test(&users)) {
        guarded = 2;
        BUG_ON(guarded != 2); // SAFE
        guarded = 0;
    }
    atomic_inc(&users);
    BUG_ON(before == 0); // UNSAFE!
    BUG_ON(atomic_add_unless(&users, 1, 500) > 1); // SAFE
}
