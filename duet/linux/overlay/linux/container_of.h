/* <linux/container_of.h> over the kernel's own: from a member to the structure around it */
#ifndef DUET_OVERLAY_CONTAINER_OF_H
#define DUET_OVERLAY_CONTAINER_OF_H

#include_next <linux/container_of.h>

#undef container_of
#include "../../include/linux/container_of.h"

#endif
