/* <linux/mutex.h> over the kernel's own: locks that sleep; the owner is the state */
#ifndef DUET_OVERLAY_MUTEX_H
#define DUET_OVERLAY_MUTEX_H

#include_next <linux/mutex.h>
#include <linux/spinlock.h>

#if !defined(CONFIG_DEBUG_MUTEXES) && !defined(CONFIG_DEBUG_LOCK_ALLOC) && !defined(CONFIG_PREEMPT_RT)
#undef mutex_init
#undef mutex_lock
#undef mutex_lock_nested
#undef mutex_lock_io
#undef mutex_lock_interruptible
#undef mutex_lock_killable
#include "../../include/linux/mutex.h"
#undef __MUTEX_INITIALIZER
#undef DEFINE_MUTEX
#define __MUTEX_INITIALIZER(name) {.owner = {0}}
#define DEFINE_MUTEX(name) struct mutex name = __MUTEX_INITIALIZER(name)
#define mutex_init(lock) ((void)((lock)->owner.counter = 0))
#define mutex_is_locked(lock) ((lock)->owner.counter != 0)
#endif

#endif
