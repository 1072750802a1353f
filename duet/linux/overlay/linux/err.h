/* <linux/err.h> over the kernel's own: errors in pointers */
#ifndef DUET_OVERLAY_ERR_H
#define DUET_OVERLAY_ERR_H

#include_next <linux/err.h>

#undef IS_ERR
#undef PTR_ERR
#undef ERR_PTR
#include "../../include/linux/err.h"

#endif
