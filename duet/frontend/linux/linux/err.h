/* <linux/err.h>: error numbers in pointers */
#ifndef DUET_LINUX_ERR_H
#define DUET_LINUX_ERR_H

#include <linux/types.h>
#include <duet/intrinsics.h>

/* Which pointers are errors is not modelled. */
#define IS_ERR(pointer) ((void)(pointer), __duet_nondet_bool())
#define IS_ERR_OR_NULL(pointer) ((void)(pointer), __duet_nondet_bool())
#define PTR_ERR(pointer) ((void)(pointer), (long)__duet_error())
#define PTR_ERR_OR_ZERO(pointer) ((void)(pointer), (int)__duet_status())
#define ERR_PTR(error) ((void *)(long)(error))

#endif
