/* <linux/atomic.h> over the kernel's own: atomic counters */
#ifndef DUET_OVERLAY_ATOMIC_H
#define DUET_OVERLAY_ATOMIC_H

#include_next <linux/atomic.h>

#include "../../include/linux/atomic.h"

#endif
