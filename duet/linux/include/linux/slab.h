/* <linux/slab.h>: memory */
#ifndef DUET_LINUX_SLAB_H
#define DUET_LINUX_SLAB_H

#include <linux/types.h>

#define GFP_KERNEL 0u
#define GFP_ATOMIC 1u

extern void *kmalloc(size_t size, gfp_t flags);
extern void *kzalloc(size_t size, gfp_t flags);
extern void *kcalloc(size_t count, size_t size, gfp_t flags);
extern void kfree(const void *memory);
extern void kfree_const(const void *pointer);

#endif
