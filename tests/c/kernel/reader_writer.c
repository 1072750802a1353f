// ARGS: --model linux --entries writer,reader,sleeper
// Locks for readers and writers, and one that is tried.
#include <linux/spinlock.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/bug.h>

DEFINE_RWLOCK(gate);
DEFINE_MUTEX(lock);
int half, guarded;

void writer(void) {
    unsigned long flags;
    write_lock_irqsave(&gate, flags);
    half = 1;
    BUG_ON(half != 1); // SAFE
    half = 0;
    write_unlock_irqrestore(&gate, flags);
    if (mutex_trylock(&lock)) {
        guarded = 1;
        BUG_ON(guarded != 1); // SAFE
        guarded = 0;
        mutex_unlock(&lock);
    }
}

void reader(void) {
    read_lock(&gate);
    BUG_ON(half); // SAFE
    read_unlock(&gate);
    BUG_ON(half); // UNSAFE!
}

void sleeper(void) {
    int result = mutex_lock_interruptible(&lock);
    if (result == 0) {
        guarded = 2;
        BUG_ON(guarded != 2); // SAFE
        guarded = 0;
        mutex_unlock(&lock);
    } else {
        BUG_ON(guarded != 0); // UNSAFE!
    }
}
