/* <linux/delay.h>: waiting */
#ifndef DUET_LINUX_DELAY_H
#define DUET_LINUX_DELAY_H

#define __duet_delay(time) ((void)(unsigned long)(time))
#define udelay(time) __duet_delay(time)
#define ndelay(time) __duet_delay(time)
#define mdelay(time) __duet_delay(time)
#define msleep(time) __duet_delay(time)
#define msleep_interruptible(time) ((void)(time), __duet_nondet_ulong())
#define ssleep(time) __duet_delay(time)
#define usleep_range(low, high) ((void)(low), (void)(high))

#endif
