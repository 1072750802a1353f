/* <linux/sched.h> over the kernel's own: sleeping until time is over, or less */
#ifndef DUET_OVERLAY_SCHED_H
#define DUET_OVERLAY_SCHED_H

#include_next <linux/sched.h>
#include <duet/intrinsics.h>

static inline void schedule(void)
{
}
static inline long schedule_timeout(long ticks)
{
	long left = __duet_nondet_long();

	__duet_assume(left >= 0);
	__duet_assume(left == 0 || left <= ticks);
	return left;
}
static inline long schedule_timeout_interruptible(long ticks)
{
	return schedule_timeout(ticks);
}
static inline long schedule_timeout_killable(long ticks)
{
	return schedule_timeout(ticks);
}
static inline long schedule_timeout_uninterruptible(long ticks)
{
	return schedule_timeout(ticks);
}

#endif
