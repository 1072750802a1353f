/* <linux/overflow.h> over the kernel's own: sizes that stay as large as they can be where they would wrap */
#ifndef DUET_OVERLAY_OVERFLOW_H
#define DUET_OVERLAY_OVERFLOW_H

#include_next <linux/overflow.h>
#include <duet/intrinsics.h>

static inline size_t size_mul(size_t left, size_t right)
{
	return __duet_size_product(left, right);
}
static inline size_t size_add(size_t left, size_t right)
{
	return __duet_size_sum(left, right);
}
static inline size_t size_sub(size_t left, size_t right)
{
	return left == (size_t)-1 || right == (size_t)-1 || right > left ? (size_t)-1 : left - right;
}

#endif
