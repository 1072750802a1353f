/* <linux/refcount.h> over the kernel's own: what is wrong sticks; the warning is left out */
#ifndef DUET_OVERLAY_REFCOUNT_H
#define DUET_OVERLAY_REFCOUNT_H

#include_next <linux/refcount.h>

static inline void refcount_warn_saturate(refcount_t *count, enum refcount_saturation_type kind)
{
	atomic_set(&count->refs, REFCOUNT_SATURATED);
}
static inline void __refcount_add(int step, refcount_t *count, int *before)
{
	int old = atomic_fetch_add_relaxed(step, &count->refs);

	if (before)
		*before = old;
	if (!old)
		refcount_warn_saturate(count, REFCOUNT_ADD_UAF);
	else if (old < 0 || (int)((unsigned int)old + step) < 0) /* the kernel is compiled so that numbers wrap */
		refcount_warn_saturate(count, REFCOUNT_ADD_OVF);
}
static inline bool __refcount_add_not_zero(int step, refcount_t *count, int *before)
{
	int old = atomic_read(&count->refs);

	while (old && !atomic_try_cmpxchg_relaxed(&count->refs, &old, (int)((unsigned int)old + step)))
		;
	if (before)
		*before = old;
	if (old < 0 || (int)((unsigned int)old + step) < 0)
		refcount_warn_saturate(count, REFCOUNT_ADD_NOT_ZERO_OVF);
	return old != 0;
}

#endif
