/* <linux/slab.h> over the kernel's own: memory: what is only declared here is a function that is known by name */
#ifndef DUET_OVERLAY_SLAB_H
#define DUET_OVERLAY_SLAB_H

#include_next <linux/slab.h>

extern void *kmalloc(size_t size, gfp_t flags);
extern void *kzalloc(size_t size, gfp_t flags);

#endif
