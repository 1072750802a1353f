/* <linux/bug.h> over the kernel's own: checks */
#ifndef DUET_OVERLAY_BUG_H
#define DUET_OVERLAY_BUG_H

#include_next <linux/bug.h>

#undef BUG_ON
#undef BUG
#undef WARN_ON
#undef WARN
#undef WARN_ON_ONCE
#undef WARN_ONCE
#include "../../include/linux/bug.h"

#endif
