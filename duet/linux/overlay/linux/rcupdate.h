/* <linux/rcupdate.h> over the kernel's own: sections of readers, and memory that is given back behind them */
#ifndef DUET_OVERLAY_RCUPDATE_H
#define DUET_OVERLAY_RCUPDATE_H

#include_next <linux/rcupdate.h>

extern void rcu_read_lock(void);
extern void rcu_read_unlock(void);

/* Readers may have it a while longer; memory that is used then counts as used too late. */
#undef kfree_rcu
#undef kvfree_rcu
#undef kfree_rcu_mightsleep
#undef kvfree_rcu_mightsleep
extern void kfree(const void *pointer);
extern void kvfree(const void *pointer);
#define kfree_rcu(pointer, ...) kfree(pointer)
#define kvfree_rcu(pointer, ...) kvfree(pointer)
#define kfree_rcu_mightsleep(pointer) kfree(pointer)
#define kvfree_rcu_mightsleep(pointer) kvfree(pointer)

#endif
