/* <linux/slab.h> over the kernel's own: memory: what is only declared here is a function that is known by name */
#ifndef DUET_OVERLAY_SLAB_H
#define DUET_OVERLAY_SLAB_H

#include_next <linux/slab.h>
#include <linux/string.h>

extern void *kmalloc(size_t size, gfp_t flags);
extern void *kzalloc(size_t size, gfp_t flags);
extern void *kcalloc(size_t count, size_t size, gfp_t flags);
extern void *kmalloc_array(size_t count, size_t size, gfp_t flags);
extern void *kmalloc_node(size_t size, gfp_t flags, int node);
extern void *kzalloc_node(size_t size, gfp_t flags, int node);
extern void *kcalloc_node(size_t count, size_t size, gfp_t flags, int node);
extern void *kmalloc_array_node(size_t count, size_t size, gfp_t flags, int node);
extern void *kvmalloc(size_t size, gfp_t flags);
extern void *kvzalloc(size_t size, gfp_t flags);
extern void *kvzalloc_node(size_t size, gfp_t flags, int node);
extern void *kvmalloc_array(size_t count, size_t size, gfp_t flags);
extern void *kvcalloc(size_t count, size_t size, gfp_t flags);

static inline void *kmemdup(const void *source, size_t size, gfp_t flags)
{
	void *copy = kmalloc(size, flags);

	if (copy)
		memcpy(copy, source, size);
	return copy;
}

#endif
