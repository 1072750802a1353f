/* <linux/ctype.h> over the kernel's own: how many characters the table has */
#ifndef DUET_OVERLAY_CTYPE_H
#define DUET_OVERLAY_CTYPE_H

#include_next <linux/ctype.h>

extern const unsigned char _ctype[256];

#endif
