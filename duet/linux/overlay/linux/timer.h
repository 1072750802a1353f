/* <linux/timer.h> over the kernel's own: what a timer calls is kept in it */
#ifndef DUET_OVERLAY_TIMER_H
#define DUET_OVERLAY_TIMER_H

#include_next <linux/timer.h>

#undef __init_timer
#undef __init_timer_on_stack
#define __init_timer(timer, callback, settings) \
	((void)((timer)->flags = (settings), (timer)->function = (callback)))
#define __init_timer_on_stack(timer, callback, settings) __init_timer(timer, callback, settings)

#endif
