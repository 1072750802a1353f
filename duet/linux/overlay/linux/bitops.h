/* <linux/bitops.h> over the kernel's own: atomic operations on bits */
#ifndef DUET_OVERLAY_BITOPS_H
#define DUET_OVERLAY_BITOPS_H

#include_next <linux/bitops.h>

#include "../../include/linux/bitops.h"

#endif
