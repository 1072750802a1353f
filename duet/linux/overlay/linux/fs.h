/* <linux/fs.h> over the kernel's own: which numbers of character devices there are, how much is moved */
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

/* No more than there is, whatever was asked for. */
static inline ssize_t __duet_at_most(ssize_t moved, size_t available)
{
	if (available <= 0x7fffffffffffffffUL)
		__duet_assume(moved <= (ssize_t)available);
	return moved;
}
#define simple_read_from_buffer(to, count, position, from, available)                                          \
	({                                                                                                     \
		size_t __duet_available = (available);                                                         \
		__duet_at_most(simple_read_from_buffer(to, count, position, from, __duet_available), __duet_available); \
	})
#define simple_write_to_buffer(to, available, position, from, count)                                           \
	({                                                                                                     \
		size_t __duet_available = (available);                                                         \
		__duet_at_most(simple_write_to_buffer(to, __duet_available, position, from, count), __duet_available); \
	})

#endif
