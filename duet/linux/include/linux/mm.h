/* <linux/mm.h>: memory management: nothing of it is needed */
#ifndef DUET_LINUX_MM_H
#define DUET_LINUX_MM_H

#include <linux/types.h>

#endif
