/* <linux/jiffies.h>: time in ticks */
#ifndef DUET_LINUX_JIFFIES_H
#define DUET_LINUX_JIFFIES_H

#include <linux/types.h>
#include <duet/intrinsics.h>

#define HZ 250
/* A counter that nobody in the driver writes: any value at each read. */
#define jiffies (__duet_nondet_ulong())
#define __duet_compare(a, b) ((void)(a), (void)(b), __duet_nondet_bool())
#define time_before(a, b) __duet_compare(a, b)
#define time_after(a, b) __duet_compare(a, b)
#define time_before_eq(a, b) __duet_compare(a, b)
#define time_after_eq(a, b) __duet_compare(a, b)
#define time_is_before_jiffies(a) ((void)(a), __duet_nondet_bool())
#define time_is_after_jiffies(a) ((void)(a), __duet_nondet_bool())
#define msecs_to_jiffies(milliseconds) ((void)(milliseconds), __duet_nondet_ulong())
#define jiffies_to_msecs(ticks) ((void)(ticks), __duet_nondet_uint())

#endif
