/* <linux/bug.h>: checks */
#ifndef DUET_LINUX_BUG_H
#define DUET_LINUX_BUG_H

#include <duet/intrinsics.h>

extern void BUG_ON(_Bool condition);
#define BUG() BUG_ON(1)
#define WARN_ON(condition) (!!(condition))
#define WARN_ON_ONCE(condition) (!!(condition))
#define WARN(condition, ...) ((condition) ? (printk(__VA_ARGS__), 1) : 0)
#define WARN_ONCE(condition, ...) \
	((condition) ? ((void)(__duet_nondet_bool() ? printk(__VA_ARGS__) : 0), 1) : 0)

#endif
