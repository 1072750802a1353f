/* <linux/printk.h> over the kernel's own: messages */
#ifndef DUET_OVERLAY_PRINTK_H
#define DUET_OVERLAY_PRINTK_H

#include_next <linux/printk.h>
#undef printk
#include "../../include/linux/printk.h"

#endif
