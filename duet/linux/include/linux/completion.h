/* <linux/completion.h>: completions: how many waits may pass; the largest number stands for any */
#ifndef DUET_LINUX_COMPLETION_H
#define DUET_LINUX_COMPLETION_H

#include <duet/ticks.h>

struct completion {
	unsigned int done;
};

#define COMPLETION_INITIALIZER(name) {0}
#define DECLARE_COMPLETION(name) struct completion name = {0}
#define DECLARE_COMPLETION_ONSTACK(name) struct completion name = {0}
#define init_completion(completion) ((void)((completion)->done = 0))
#define reinit_completion(completion) ((void)((completion)->done = 0))
#define complete(completion) ((void)__duet_complete(completion))
#define complete_all(completion) ((void)__duet_complete_all(completion))
#define wait_for_completion(completion) (__duet_wait_for_completion(), (void)__duet_await(completion))
#define wait_for_completion_io(completion) wait_for_completion(completion)
#define wait_for_completion_interruptible(completion) \
	(__duet_nondet_bool() ? (__duet_await(completion), 0) : ((void)(completion), -512))
#define wait_for_completion_killable(completion) wait_for_completion_interruptible(completion)
/* The time that was left; or 0. */
#define wait_for_completion_timeout(completion, ticks)                                   \
	({                                                                               \
		long __duet_ticks = (ticks);                                             \
		__duet_nondet_bool() ? (__duet_await(completion), (unsigned long)__duet_time_left(__duet_ticks)) \
				     : ((void)(completion), 0UL);                        \
	})
#define wait_for_completion_interruptible_timeout(completion, ticks)                                        \
	({                                                                                                  \
		long __duet_ticks = (ticks);                                                                \
		__duet_nondet_bool() ? (__duet_await(completion), __duet_time_left(__duet_ticks))           \
				     : ((void)(completion), __duet_nondet_bool() ? 0L : -512L);             \
	})
#define try_wait_for_completion(completion) (__duet_await_try(completion) == 0)
#define completion_done(completion) ((completion)->done != 0)

#endif
