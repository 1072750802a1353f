/* <linux/wait.h>: waiting for conditions, which are evaluated until they hold; waking up is left out */
#ifndef DUET_LINUX_WAIT_H
#define DUET_LINUX_WAIT_H

#include <duet/ticks.h>
#ifndef __DUET_OVERLAY
#include <linux/spinlock.h>
#include <linux/completion.h>

typedef struct wait_queue_head {
	int __duet_state;
} wait_queue_head_t;

#define __WAIT_QUEUE_HEAD_INITIALIZER(name) {0}
#define DECLARE_WAIT_QUEUE_HEAD(name) wait_queue_head_t name = {0}
#endif
#define init_waitqueue_head(queue) ((void)(queue))
#define waitqueue_active(queue) ((void)(queue), __duet_nondet_bool())
#define wake_up(queue) ((void)(queue))
#define wake_up_all(queue) ((void)(queue))
#define wake_up_interruptible(queue) ((void)(queue))
#define wake_up_interruptible_all(queue) ((void)(queue))
#ifndef __DUET_OVERLAY
#define wake_up_process(task) ((void)(task), __duet_nondet_bool())
#endif
#define wait_event(queue, condition) do { } while (!(condition))
/* The condition came true; or it never was, and something else ended the wait. */
#define __duet_wait_until(condition, result, ended)               \
	(__duet_nondet_bool() ? ({                                \
		do {                                              \
		} while (!(condition));                           \
		(result);                                         \
	})                                                        \
			      : ({                                \
					do {                      \
						__duet_assume(!(condition)); \
					} while (__duet_nondet_bool());      \
					(ended);                  \
				}))
#define wait_event_interruptible(queue, condition) __duet_wait_until(condition, 0, -512)
#define wait_event_killable(queue, condition) wait_event_interruptible(queue, condition)
#define wait_event_timeout(queue, condition, ticks)                                             \
	({                                                                                      \
		long __duet_ticks = (ticks);                                                    \
		__duet_wait_until(condition, __duet_time_left(__duet_ticks), 0L); \
	})
#define wait_event_interruptible_timeout(queue, condition, ticks)                                                       \
	({                                                                                                              \
		long __duet_ticks = (ticks);                                                                            \
		__duet_wait_until(condition, __duet_time_left(__duet_ticks), __duet_nondet_bool() ? 0L : -512L); \
	})

#endif
