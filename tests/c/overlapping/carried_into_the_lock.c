// ARGS: --entries one,other --parameterized
// A count that is kept in front of a lock's bit: what is added below carries into it.
#include <assert.h>
#include <stdatomic.h>

static atomic_uint head, shifted;
static int inside, also;

void one(void) {
    while (atomic_fetch_or(&head, 4u) & 4u)
        ;
    inside++;
    assert(inside == 1); // UNSAFE!
    inside--;
    atomic_fetch_and(&head, ~4u);
}

void other(void) {
    atomic_fetch_add(&head, 1u);
    while (atomic_fetch_or(&shifted, 2u) & 2u)
        ;
    also++;
    assert(also == 1); // SAFE
    also--;
    unsigned now = atomic_load(&shifted);
    atomic_store(&shifted, (now >> 1) << 1 >> 1); // only the bit one further down is set then
}
