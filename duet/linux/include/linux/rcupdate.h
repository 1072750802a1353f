/*
 * <linux/rcupdate.h>: sections of readers order nothing, as writers run at the same time; that a writer waits for the
 * readers before it is left out, which only adds executions
 */
#ifndef DUET_LINUX_RCUPDATE_H
#define DUET_LINUX_RCUPDATE_H

#include <linux/compiler.h>
#include <duet/intrinsics.h>

struct rcu_head {
	void *__duet_next;
};

extern void rcu_read_lock(void);
extern void rcu_read_unlock(void);
#define rcu_read_lock_bh() rcu_read_lock()
#define rcu_read_unlock_bh() rcu_read_unlock()
#define rcu_dereference(pointer) (__duet_weak_order(), (pointer))
#define rcu_dereference_protected(pointer, condition) (pointer)
#define rcu_dereference_raw(pointer) rcu_dereference(pointer)
#define rcu_access_pointer(pointer) (pointer)
#define rcu_assign_pointer(pointer, value) (__duet_weak_order(), (void)((pointer) = (value)))
#define RCU_INIT_POINTER(pointer, value) ((void)((pointer) = (value)))
extern void synchronize_rcu(void);
#define synchronize_sched() synchronize_rcu()
#define rcu_barrier() do { } while (0)
/* The function may run at any time from here on. */
#define call_rcu(head, function) __duet_spawn(function, head)
/* Readers may have it a while longer; memory that is used then counts as used too late. */
extern void kfree(const void *pointer);
extern void kvfree(const void *pointer);
#define kfree_rcu(pointer, ...) kfree(pointer)
#define kvfree_rcu(pointer, ...) kvfree(pointer)
#define kfree_rcu_mightsleep(pointer) kfree(pointer)
#define kvfree_rcu_mightsleep(pointer) kvfree(pointer)

#endif
