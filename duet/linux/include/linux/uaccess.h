/* <linux/uaccess.h>: memory of the user: never dereferenced */
#ifndef DUET_LINUX_UACCESS_H
#define DUET_LINUX_UACCESS_H

#include <linux/types.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/string.h>
#include <duet/intrinsics.h>

#define get_user(target, address) (__duet_havoc(target), (void)(address), __duet_nondet_bool() ? -EFAULT : 0)
#define put_user(value, address) ((void)(value), (void)(address), __duet_nondet_bool() ? -EFAULT : 0)
#define __get_user(target, address) get_user(target, address)
#define __put_user(value, address) put_user(value, address)
/* What is left to copy. */
static inline unsigned long __duet_rest(unsigned long count)
{
	unsigned long rest = __duet_nondet_ulong();

	__duet_assume(rest <= count);
	return rest;
}

/* What arrives is arbitrary. */
#define copy_from_user(target, source, count)                                     \
	({                                                                        \
		unsigned long __duet_count = (count);                             \
		(void)(source);                                                   \
		__duet_receive(target, __duet_count);                             \
		__duet_rest(__duet_count);                                        \
	})
#define copy_to_user(target, source, count)                                       \
	({                                                                        \
		unsigned long __duet_count = (count);                             \
		const void *__duet_source = (source);                             \
		(void)(target);                                                   \
		(void)memcmp(__duet_source, __duet_source, __duet_count);   \
		__duet_rest(__duet_count);                                        \
	})
#define access_ok(address, size) ((void)(address), (void)(size), __duet_nondet_bool())

#endif
