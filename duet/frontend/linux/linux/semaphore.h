/* <linux/semaphore.h>: semaphores */
#ifndef DUET_LINUX_SEMAPHORE_H
#define DUET_LINUX_SEMAPHORE_H

#include <linux/spinlock.h>

struct semaphore {
	int __duet_state;
};

#define DEFINE_SEMAPHORE(name) struct semaphore name = {0}
/* Only as a mutex. */
#define down(semaphore) __duet_acquire(semaphore)
#define up(semaphore) __duet_release(semaphore)

#endif
