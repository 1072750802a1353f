/* <linux/wait.h> over the kernel's own: waiting for a condition, which is evaluated again and again */
#ifndef DUET_OVERLAY_WAIT_H
#define DUET_OVERLAY_WAIT_H

#include_next <linux/wait.h>
#include <duet/intrinsics.h>

#undef init_waitqueue_head
#undef wake_up
#undef wake_up_all
#undef wake_up_interruptible
#undef wake_up_interruptible_all
#undef wait_event
#undef wait_event_interruptible
#undef wait_event_killable
#undef wait_event_timeout
#undef wait_event_interruptible_timeout
#include "../../include/linux/wait.h"
/* The others. Where signals count, one may end the wait whenever the condition does not hold. */
#undef ___wait_event
#define ___wait_event(queue, condition, state, is_exclusive, result, command)                 \
	({                                                                                    \
		long __ret = (result);                                                        \
		(void)&(queue);                                                               \
		for (;;) {                                                                    \
			if (condition)                                                        \
				break;                                                        \
			if (___wait_is_interruptible(state) && __duet_nondet_bool()) {        \
				__ret = -512;                                                 \
				break;                                                        \
			}                                                                     \
			command;                                                              \
		}                                                                             \
		__ret;                                                                        \
	})

#endif
