/* <linux/fs.h> over the kernel's own: which numbers of character devices there are */
#ifndef DUET_OVERLAY_FS_H
#define DUET_OVERLAY_FS_H

#include_next <linux/fs.h>
#include <duet/intrinsics.h>

/* An error, or 0; the number, below 512, where the kernel was to choose one. */
static inline int register_chrdev(unsigned int major, const char *name, const struct file_operations *fops)
{
	int result = __register_chrdev(major, 0, 256, name, fops);

	__duet_assume(result >= -4095);
	__duet_assume(result <= (major ? 0 : 511));
	return result;
}

#endif
