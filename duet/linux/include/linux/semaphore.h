/* <linux/semaphore.h>: counting semaphores */
#ifndef DUET_LINUX_SEMAPHORE_H
#define DUET_LINUX_SEMAPHORE_H

#include <linux/spinlock.h>

struct semaphore {
	int __duet_state;
};

#define __SEMAPHORE_INITIALIZER(name, count) {(count)}
#define DEFINE_SEMAPHORE(name) struct semaphore name = {1}
#define sema_init(semaphore, count) ((void)((semaphore)->__duet_state = (count)))
#define down(semaphore) ((void)__duet_down(semaphore))
#define down_interruptible(semaphore) (__duet_nondet_bool() ? (__duet_down(semaphore), 0) : ((void)(semaphore), -4))
#define down_killable(semaphore) down_interruptible(semaphore)
#define down_timeout(semaphore, ticks) ((void)(ticks), __duet_nondet_bool() ? (__duet_down(semaphore), 0) : ((void)(semaphore), -62))
/* 0 where it was taken, as in the kernel. */
#define down_trylock(semaphore) (__duet_down_try(semaphore) != 0)
#define up(semaphore) ((void)__duet_up(semaphore))

#endif
