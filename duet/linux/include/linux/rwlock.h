/* <linux/rwlock.h>: locks for readers and writers, spinning ones and those that sleep */
#ifndef DUET_LINUX_RWLOCK_H
#define DUET_LINUX_RWLOCK_H

#include <duet/intrinsics.h>

typedef struct {
	int __duet_state;
} rwlock_t;
struct rw_semaphore {
	int __duet_state;
};

#define __RW_LOCK_UNLOCKED(name) {0}
#define DEFINE_RWLOCK(name) rwlock_t name = {0}
#define rwlock_init(lock) ((void)((lock)->__duet_state = 0))
#define read_lock(lock) (__duet_read_acquire(lock), __duet_interruptible())
#define read_unlock(lock) __duet_shared_release(lock)
#define write_lock(lock) (__duet_write_acquire(lock), __duet_interruptible())
#define write_unlock(lock) __duet_shared_release(lock)
#define read_trylock(lock) (__duet_read_try(lock) == 0 ? (__duet_interruptible(), 1) : 0)
#define write_trylock(lock) (__duet_write_try(lock) == 0 ? (__duet_interruptible(), 1) : 0)
#define read_lock_bh(lock) (__duet_bottoms_off(), read_lock(lock))
#define read_unlock_bh(lock) (read_unlock(lock), __duet_bottoms_on())
#define write_lock_bh(lock) (__duet_bottoms_off(), write_lock(lock))
#define write_unlock_bh(lock) (write_unlock(lock), __duet_bottoms_on())
#define read_lock_irq(lock) (__duet_interrupts_off(), (void)__duet_read_acquire(lock))
#define read_unlock_irq(lock) (read_unlock(lock), __duet_interrupts_on())
#define write_lock_irq(lock) (__duet_interrupts_off(), (void)__duet_write_acquire(lock))
#define write_unlock_irq(lock) (write_unlock(lock), __duet_interrupts_on())
#define read_lock_irqsave(lock, flags) do { local_irq_save(flags); __duet_read_acquire(lock); } while (0)
#define read_unlock_irqrestore(lock, flags) do { read_unlock(lock); __duet_interrupts_restore(flags); } while (0)
#define write_lock_irqsave(lock, flags) do { local_irq_save(flags); __duet_write_acquire(lock); } while (0)
#define write_unlock_irqrestore(lock, flags) do { write_unlock(lock); __duet_interrupts_restore(flags); } while (0)

#define DECLARE_RWSEM(name) struct rw_semaphore name = {0}
#define init_rwsem(lock) ((void)((lock)->__duet_state = 0))
#define down_read(lock) __duet_read_acquire(lock)
#define up_read(lock) read_unlock(lock)
#define down_write(lock) __duet_write_acquire(lock)
#define up_write(lock) write_unlock(lock)
#define down_read_trylock(lock) (__duet_read_try(lock) == 0)
#define down_write_trylock(lock) (__duet_write_try(lock) == 0)
#define down_read_interruptible(lock) (__duet_nondet_bool() ? (down_read(lock), 0) : ((void)(lock), -4))
#define down_read_killable(lock) down_read_interruptible(lock)
#define down_write_killable(lock) (__duet_nondet_bool() ? (down_write(lock), 0) : ((void)(lock), -4))
#define downgrade_write(lock) __duet_downgrade(lock)

#endif
