/* <duet/ticks.h>: time that is left */
#ifndef DUET_DUET_TICKS_H
#define DUET_DUET_TICKS_H

#include <duet/intrinsics.h>

/* What is left of some time where something came in time: at least 1, but of less than nothing. */
static inline long __duet_time_left(long ticks)
{
	long left = __duet_nondet_long();

	__duet_assume(left >= 1 || ticks < 0);
	return left;
}

#endif
