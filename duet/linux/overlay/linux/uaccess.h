/* <linux/uaccess.h> over the kernel's own: memory of the user: never dereferenced */
#ifndef DUET_OVERLAY_UACCESS_H
#define DUET_OVERLAY_UACCESS_H

#include_next <linux/uaccess.h>
#include <duet/intrinsics.h>

#undef get_user
#undef put_user
#undef __get_user
#undef __put_user
#undef access_ok
#include "../../include/linux/uaccess.h"

#endif
