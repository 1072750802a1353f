/* <linux/string.h> over the kernel's own: copies in new memory */
#ifndef DUET_OVERLAY_STRING_H
#define DUET_OVERLAY_STRING_H

#include_next <linux/string.h>
#include <linux/slab.h>

static inline void *kmemdup(const void *source, size_t size, gfp_t flags)
{
	void *copy = kmalloc(size, flags);

	if (copy)
		memcpy(copy, source, size);
	return copy;
}

#endif
