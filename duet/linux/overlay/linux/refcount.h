/* <linux/refcount.h> over the kernel's own: what is wrong sticks; the warning is left out */
#ifndef DUET_OVERLAY_REFCOUNT_H
#define DUET_OVERLAY_REFCOUNT_H

#include_next <linux/refcount.h>

static inline void refcount_warn_saturate(refcount_t *count, enum refcount_saturation_type kind)
{
	atomic_set(&count->refs, REFCOUNT_SATURATED);
}

#endif
