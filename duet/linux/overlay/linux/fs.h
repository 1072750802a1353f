/* <linux/fs.h> over the kernel's own: which numbers of character devices there are */
#ifndef DUET_OVERLAY_FS_H
#define DUET_OVERLAY_FS_H

#include_next <linux/fs.h>
#include <duet/intrinsics.h>

/* An error, or 0; the number, below 512, where the kernel was to choose one. */
#define register_chrdev(major, name, fops)                                             \
	({                                                                             \
		unsigned int __duet_major = (major);                                   \
		int __duet_result = __register_chrdev(__duet_major, 0, 256, name, fops); \
		__duet_assume(__duet_result >= -4095);                                 \
		__duet_assume(__duet_result <= (__duet_major ? 0 : 511));              \
		__duet_result;                                                         \
	})

#endif
