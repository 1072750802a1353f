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

#ifndef __DUET_OVERLAY
#include <linux/cleanup.h>
#include <linux/err.h>
DEFINE_FREE(kfree, void *, if (!IS_ERR_OR_NULL(_T)) kfree(_T))
#endif

#endif
