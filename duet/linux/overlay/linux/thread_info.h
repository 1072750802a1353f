/* <linux/thread_info.h> over the kernel's own: others set the flags of a thread, a signal that is pending among them */
#ifndef DUET_OVERLAY_THREAD_INFO_H
#define DUET_OVERLAY_THREAD_INFO_H

#include_next <linux/thread_info.h>
#include <duet/intrinsics.h>

static inline int test_ti_thread_flag(struct thread_info *thread, int flag)
{
	return __duet_nondet_bool();
}
static inline void set_ti_thread_flag(struct thread_info *thread, int flag)
{
}
static inline void clear_ti_thread_flag(struct thread_info *thread, int flag)
{
}

#endif
