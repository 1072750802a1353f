/* <linux/string.h> over the kernel's own: copies of what users have, of the size that was asked for; else -ENOMEM (12),
 * -EFAULT (14) or -EINVAL (22), each by itself, so that what asks for it is told apart
 */
#ifndef DUET_OVERLAY_STRING_H
#define DUET_OVERLAY_STRING_H

#include_next <linux/string.h>
#include <linux/err.h>
#include <duet/intrinsics.h>

extern void *kmalloc(size_t size, unsigned int flags);
extern void *__duet_text(unsigned long size);

static inline void *memdup_user(const void *source, size_t size)
{
	void *copy = kmalloc(size, 0);

	if (!copy)
		return ERR_PTR(-12);
	if (__duet_nondet_bool())
		return ERR_PTR(-14);
	__duet_receive(copy, size);
	return copy;
}
static inline void *vmemdup_user(const void *source, size_t size)
{
	return memdup_user(source, size);
}
static inline void *memdup_user_nul(const void *source, size_t size)
{
	if (__duet_nondet_bool())
		return ERR_PTR(-12);
	if (__duet_nondet_bool())
		return ERR_PTR(-14);
	return __duet_text(__duet_size_sum(size, 1));
}
/* A string of at most so many bytes, with its end. */
static inline char *strndup_user(const char *source, long most)
{
	unsigned long size = __duet_nondet_ulong();

	if (__duet_nondet_bool())
		return ERR_PTR(-14);
	if (most < 1 || __duet_nondet_bool())
		return ERR_PTR(-22);
	if (__duet_nondet_bool())
		return ERR_PTR(-12);
	__duet_assume(size >= 1);
	__duet_assume(size <= (unsigned long)most);
	return (char *)__duet_text(size);
}

#endif
