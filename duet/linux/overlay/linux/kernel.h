/* <linux/kernel.h> over the kernel's own: places where a thread may wait */
#ifndef DUET_OVERLAY_KERNEL_H
#define DUET_OVERLAY_KERNEL_H

#include_next <linux/kernel.h>

#undef might_sleep
#undef might_sleep_if
#undef might_resched
#undef cant_sleep
/* Before 5.16 it stands in this header. */
#ifndef DUET_LINUX_CONTAINER_OF_H
#undef container_of
#include "../../include/linux/container_of.h"
#endif
#define might_sleep() do { } while (0)
#define might_sleep_if(condition) ((void)(condition))
#define might_resched() do { } while (0)
#define cant_sleep() do { } while (0)

#endif
