/* <linux/spinlock.h>: locks */
#ifndef DUET_LINUX_SPINLOCK_H
#define DUET_LINUX_SPINLOCK_H

#include <linux/types.h>
#include <linux/compiler.h>
#include <duet/intrinsics.h>

#ifndef __DUET_OVERLAY
typedef struct {
	int __duet_state;
} spinlock_t;
typedef spinlock_t raw_spinlock_t;
#endif

#define __SPIN_LOCK_UNLOCKED(name) {0}
#define DEFINE_SPINLOCK(name) spinlock_t name = {0}
#define DEFINE_RAW_SPINLOCK(name) spinlock_t name = {0}
#define spin_lock_init(lock) ((void)((lock)->__duet_state = 0))
#define spin_lock(lock) (__duet_acquire(lock), __duet_interruptible())
#define spin_unlock(lock) __duet_release(lock)
#define spin_lock_bh(lock) (__duet_bottoms_off(), spin_lock(lock))
#define spin_unlock_bh(lock) (__duet_release(lock), __duet_bottoms_on())
#define spin_lock_irq(lock) (__duet_interrupts_off(), __duet_acquire(lock))
#define spin_unlock_irq(lock) (__duet_release(lock), __duet_interrupts_on())
#define spin_lock_nested(lock, subclass) spin_lock(lock)
#define spin_trylock(lock) (__duet_try_acquire(lock) ? (__duet_interruptible(), 1) : 0)
#define spin_trylock_bh(lock) (__duet_bottoms_off(), spin_trylock(lock) ? 1 : (__duet_bottoms_on(), 0))
#define spin_trylock_irq(lock) (__duet_interrupts_off(), __duet_try_acquire(lock) ? 1 : (__duet_interrupts_on(), 0))
#define spin_trylock_irqsave(lock, flags) \
	(local_irq_save(flags), __duet_try_acquire(lock) ? 1 : (__duet_interrupts_restore(flags), 0))
#define spin_is_locked(lock) __duet_nondet_bool()
/* That interrupts are off excludes nothing on other processors: it only matters for what waits for them on this one. */
#define spin_lock_irqsave(lock, flags) do { local_irq_save(flags); __duet_acquire(lock); } while (0)
#define spin_unlock_irqrestore(lock, flags) do { __duet_release(lock); __duet_interrupts_restore(flags); } while (0)
#define raw_spin_lock_init(lock) spin_lock_init(lock)
#define raw_spin_lock(lock) spin_lock(lock)
#define raw_spin_unlock(lock) spin_unlock(lock)
#define raw_spin_trylock(lock) spin_trylock(lock)
#define raw_spin_lock_irq(lock) spin_lock_irq(lock)
#define raw_spin_unlock_irq(lock) spin_unlock_irq(lock)
#define raw_spin_lock_irqsave(lock, flags) spin_lock_irqsave(lock, flags)
#define raw_spin_unlock_irqrestore(lock, flags) spin_unlock_irqrestore(lock, flags)
#define local_irq_disable() __duet_interrupts_off()
#define local_irq_enable() __duet_interrupts_on()
#define local_bh_disable() __duet_bottoms_off()
#define local_bh_enable() __duet_bottoms_on()
#define preempt_disable() do { } while (0)
#define preempt_enable() do { } while (0)
#define local_irq_save(flags) ((flags) = __duet_nondet_ulong(), __duet_interrupts_save(flags))
#define local_irq_restore(flags) __duet_interrupts_restore(flags)

#include <linux/rwlock.h>

#ifndef __DUET_OVERLAY
#include <linux/cleanup.h>
#endif
/* Over the kernel's own, which were made before the macros above: kernels before 6.5 may have none. */
#ifdef DEFINE_GUARD
DEFINE_LOCK_GUARD_0(irq, local_irq_disable(), local_irq_enable())
DEFINE_LOCK_GUARD_0(irqsave, local_irq_save(_T->flags), local_irq_restore(_T->flags), unsigned long flags)
DEFINE_LOCK_GUARD_1(spinlock, spinlock_t, spin_lock(_T->lock), spin_unlock(_T->lock))
DEFINE_LOCK_GUARD_1(spinlock_irq, spinlock_t, spin_lock_irq(_T->lock), spin_unlock_irq(_T->lock))
DEFINE_LOCK_GUARD_1(spinlock_irqsave, spinlock_t, spin_lock_irqsave(_T->lock, _T->flags),
	spin_unlock_irqrestore(_T->lock, _T->flags), unsigned long flags)
DEFINE_LOCK_GUARD_1(raw_spinlock, raw_spinlock_t, raw_spin_lock(_T->lock), raw_spin_unlock(_T->lock))
DEFINE_LOCK_GUARD_1(raw_spinlock_irq, raw_spinlock_t, raw_spin_lock_irq(_T->lock), raw_spin_unlock_irq(_T->lock))
DEFINE_LOCK_GUARD_1(raw_spinlock_irqsave, raw_spinlock_t, raw_spin_lock_irqsave(_T->lock, _T->flags),
	raw_spin_unlock_irqrestore(_T->lock, _T->flags), unsigned long flags)
#endif

#endif
