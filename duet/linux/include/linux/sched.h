/* <linux/sched.h>: processes */
#ifndef DUET_LINUX_SCHED_H
#define DUET_LINUX_SCHED_H

#include <linux/wait.h>

#define schedule() do { } while (0)
#define schedule_timeout(ticks) ((void)(ticks), __duet_nondet_long())
#define cond_resched() do { } while (0)

#endif
