/* <linux/spinlock.h> over the kernel's own: locks, as far as their configuration gives them no more than a state */
#ifndef DUET_OVERLAY_SPINLOCK_H
#define DUET_OVERLAY_SPINLOCK_H

#include_next <linux/spinlock.h>

#if defined(CONFIG_DEBUG_SPINLOCK) || defined(CONFIG_DEBUG_LOCK_ALLOC) || defined(CONFIG_PREEMPT_RT)
/* These locks have more in them, whose layout counts: they stay as they are, and order nothing. */
#else
typedef struct raw_spinlock {
	int __duet_state;
} raw_spinlock_t;
typedef struct spinlock {
	int __duet_state;
} spinlock_t;
static inline raw_spinlock_t *spinlock_check(spinlock_t *lock)
{
	return (raw_spinlock_t *)lock;
}
#undef __RAW_SPIN_LOCK_UNLOCKED
#undef __RAW_SPIN_LOCK_INITIALIZER
#undef __SPIN_LOCK_INITIALIZER
#undef DEFINE_SPINLOCK
#undef DEFINE_RAW_SPINLOCK
#undef spin_lock_init
#undef raw_spin_lock_init
#include "../../include/linux/spinlock.h"
#define __RAW_SPIN_LOCK_UNLOCKED(name) {0}
#define __RAW_SPIN_LOCK_INITIALIZER(name) {0}
#define __SPIN_LOCK_INITIALIZER(name) {0}
#endif

#endif
