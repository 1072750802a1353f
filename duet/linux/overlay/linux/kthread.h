/* <linux/kthread.h> over the kernel's own: a thread runs its function with the data that it was made with */
#ifndef DUET_OVERLAY_KTHREAD_H
#define DUET_OVERLAY_KTHREAD_H

#include_next <linux/kthread.h>
#include <linux/err.h>
#include <duet/intrinsics.h>

static inline struct task_struct *kthread_create_on_cpu(int (*function)(void *), void *data, unsigned int cpu,
							const char *name)
{
	struct task_struct *made = (struct task_struct *)__duet_nondet_ptr();

	__duet_assume(made != 0);
	if (!IS_ERR(made))
		__duet_spawn_at(function, 0, data);
	return made;
}
static inline struct task_struct *kthread_create_on_node(int (*function)(void *), void *data, int node,
							 const char *name, ...)
{
	return kthread_create_on_cpu(function, data, 0, name);
}

#endif
