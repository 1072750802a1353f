/* <linux/err.h>: error numbers in pointers */
#ifndef DUET_LINUX_ERR_H
#define DUET_LINUX_ERR_H

#include <linux/types.h>
#include <duet/intrinsics.h>

/* The last numbers that an address may be are errors, negated. */
#define IS_ERR(pointer) ((unsigned long)(pointer) >= -4095UL)
#define IS_ERR_OR_NULL(pointer) __duet_is_error_or_null((unsigned long)(pointer))
#define PTR_ERR(pointer) ((long)(pointer))
#define PTR_ERR_OR_ZERO(pointer) __duet_error_or_zero((unsigned long)(pointer))
#define ERR_PTR(error) __duet_error_pointer(error)
#define ERR_CAST(pointer) ((void *)(pointer))

static inline bool __duet_is_error_or_null(unsigned long address)
{
	return address == 0 || address >= -4095UL;
}
static inline int __duet_error_or_zero(unsigned long address)
{
	return address >= -4095UL ? (int)(long)address : 0;
}

#endif
