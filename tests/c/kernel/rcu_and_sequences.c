// ARGS: --model linux --properties assertion --entries writer,reader,first,second
// Readers under RCU or a sequence lock exclude nobody; references that are counted end once.
#include <linux/rcupdate.h>
#include <linux/seqlock.h>
#include <linux/refcount.h>
#include <linux/wait.h>
#include <linux/bug.h>

DEFINE_SEQLOCK(sequence);
DECLARE_WAIT_QUEUE_HEAD(queue);
refcount_t references = REFCOUNT_INIT(2);
int value, other, freed, ready;

void writer(void) {
    write_seqlock(&sequence);
    value = 1;
    other = 1;
    BUG_ON(value != other); // SAFE
    value = 0;
    other = 0;
    write_sequnlock(&sequence);
    ready = 1;
    wake_up(&queue);
}

void reader(void) {
    rcu_read_lock();
    BUG_ON(value != 0); // UNSAFE!
    rcu_read_unlock();
    wait_event(queue, ready == 1);
    BUG_ON(ready != 1); // SAFE
}

static void put(void) {
    if (refcount_dec_and_test(&references)) freed = freed + 1;
    BUG_ON(freed > 1); // SAFE
}

void first(void) {
    BUG_ON(refcount_read(&references) == 0); // SAFE (needs refinement)
    put();
    BUG_ON(freed == 0); // UNSAFE!
}

void second(void) {
    put();
    BUG_ON(refcount_read(&references) == 2); // SAFE
    BUG_ON(refcount_read(&references) == 1); // UNSAFE!
}
