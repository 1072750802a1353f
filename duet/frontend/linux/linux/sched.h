/* <linux/sched.h>: processes */
#ifndef DUET_LINUX_SCHED_H
#define DUET_LINUX_SCHED_H

#define schedule() do { } while (0)
#define cond_resched() do { } while (0)

#endif
