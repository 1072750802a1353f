/* <linux/mutex.h>: locks that sleep */
#ifndef DUET_LINUX_MUTEX_H
#define DUET_LINUX_MUTEX_H

#include <linux/spinlock.h>

#ifndef __DUET_OVERLAY
struct mutex {
	int __duet_state;
};

#define __MUTEX_INITIALIZER(name) {0}
#define DEFINE_MUTEX(name) struct mutex name = {0}
#define mutex_init(lock) ((void)((lock)->__duet_state = 0))
#define mutex_is_locked(lock) ((lock)->__duet_state != 0)
#endif
#define mutex_lock(lock) __duet_acquire(lock)
#define mutex_lock_nested(lock, subclass) __duet_acquire(lock)
#define mutex_lock_io(lock) __duet_acquire(lock)
#define mutex_unlock(lock) __duet_release(lock)
#define mutex_trylock(lock) __duet_try_acquire(lock)
/* A signal may end the wait: -EINTR. */
#define mutex_lock_interruptible(lock) (__duet_nondet_bool() ? (__duet_acquire(lock), 0) : ((void)(lock), -4))
#define mutex_lock_killable(lock) mutex_lock_interruptible(lock)
#define mutex_destroy(lock) ((void)(lock))

#ifndef __DUET_OVERLAY
#include <linux/cleanup.h>
#endif
/* Over the kernel's own, which were made before the macros above: kernels before 6.5 may have none. */
#ifdef DEFINE_GUARD
DEFINE_GUARD(mutex, struct mutex *, mutex_lock(_T), mutex_unlock(_T))
DEFINE_FREE(mutex, struct mutex *, if (_T) mutex_unlock(_T))
#endif

#endif
