/* <linux/seqlock.h>: readers may see anything and decide anything; writers exclude each other */
#ifndef DUET_LINUX_SEQLOCK_H
#define DUET_LINUX_SEQLOCK_H

#include <linux/spinlock.h>

typedef struct {
	int __duet_state;
} seqlock_t;
typedef struct {
	int __duet_state;
} seqcount_t;

#define __SEQLOCK_UNLOCKED(name) {0}
#define DEFINE_SEQLOCK(name) seqlock_t name = {0}
#define seqlock_init(lock) ((void)((lock)->__duet_state = 0))
#define read_seqbegin(lock) ((void)(lock), __duet_nondet_uint())
#define read_seqretry(lock, start) ((void)(lock), (void)(start), __duet_nondet_bool())
#define write_seqlock(lock) spin_lock(lock)
#define write_sequnlock(lock) __duet_release(lock)
#define write_seqlock_bh(lock) spin_lock_bh(lock)
#define write_sequnlock_bh(lock) spin_unlock_bh(lock)
#define write_seqlock_irq(lock) spin_lock_irq(lock)
#define write_sequnlock_irq(lock) spin_unlock_irq(lock)
#define write_seqlock_irqsave(lock, flags) spin_lock_irqsave(lock, flags)
#define write_sequnlock_irqrestore(lock, flags) spin_unlock_irqrestore(lock, flags)
#define SEQCNT_ZERO(name) {0}
#define seqcount_init(count) ((void)(count))
#define read_seqcount_begin(count) ((void)(count), __duet_nondet_uint())
#define read_seqcount_retry(count, start) ((void)(count), (void)(start), __duet_nondet_bool())
#define write_seqcount_begin(count) ((void)(count))
#define write_seqcount_end(count) ((void)(count))

#endif
