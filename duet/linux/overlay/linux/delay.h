/* <linux/delay.h> over the kernel's own: waiting */
#ifndef DUET_OVERLAY_DELAY_H
#define DUET_OVERLAY_DELAY_H

#include_next <linux/delay.h>

#undef udelay
#undef ndelay
#undef mdelay
#undef ssleep
#include "../../include/linux/delay.h"

#endif
