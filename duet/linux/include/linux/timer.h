/* <linux/timer.h>: timers; the harness runs their functions */
#ifndef DUET_LINUX_TIMER_H
#define DUET_LINUX_TIMER_H

#include <linux/types.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>

struct timer_list {
	unsigned long expires;
	void (*function)(struct timer_list *timer);
	unsigned int flags;
};

#define __TIMER_INITIALIZER(callback, bits) {.function = (callback), .flags = (bits)}
#define TIMER_INITIALIZER(callback, time, bits) {.function = (callback), .expires = (time), .flags = (bits)}
#define DEFINE_TIMER(name, callback) struct timer_list name = {.function = callback}
#define from_timer(object, timer, member) container_of(timer, __typeof__(*(object)), member)
extern void timer_setup(struct timer_list *timer, void (*callback)(struct timer_list *), unsigned int flags);
/* Defined by the harness. */
extern int mod_timer(struct timer_list *timer, unsigned long time);
extern void add_timer(struct timer_list *timer);
#define mod_timer_pending(timer, time) mod_timer(timer, time)
#define timer_reduce(timer, time) mod_timer(timer, time)
#define add_timer_on(timer, processor) ((void)(processor), add_timer(timer))
#define timer_pending(timer) ((void)(timer), __duet_nondet_bool())
#define del_timer(timer) ((void)(timer), __duet_nondet_bool())
#define del_timer_sync(timer) (__duet_wait_for_timers(), del_timer(timer))
#define del_singleshot_timer_sync(timer) del_timer_sync(timer)
#define try_to_del_timer_sync(timer) ((void)(timer), __duet_nondet_bool() ? -1 : __duet_nondet_bool())
#define timer_delete(timer) del_timer(timer)
#define timer_delete_sync(timer) del_timer_sync(timer)
#define timer_shutdown(timer) (__duet_havoc((timer)->function), __duet_nondet_bool())
#define timer_shutdown_sync(timer) (__duet_wait_for_timers(), timer_shutdown(timer))

#endif
