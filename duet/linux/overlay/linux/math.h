/* <linux/math.h> over the kernel's own: absolute values */
#ifndef DUET_OVERLAY_MATH_H
#define DUET_OVERLAY_MATH_H

#include_next <linux/math.h>

#undef abs
#include "../../include/duet/abs.h"

#endif
