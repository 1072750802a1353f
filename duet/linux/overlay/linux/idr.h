/* <linux/idr.h> over the kernel's own: numbers that are free: any in the range that is asked for */
#ifndef DUET_OVERLAY_IDR_H
#define DUET_OVERLAY_IDR_H

#include_next <linux/idr.h>
#include <duet/stored.h>

/* Limits above the largest `int` mean that one. */
static inline int ida_alloc_range(struct ida *ida, unsigned int min, unsigned int max, gfp_t flags)
{
	int id = __duet_nondet_int();

	if (min > 2147483647u || __duet_nondet_bool())
		return __duet_error();
	__duet_assume(id >= 0);
	__duet_assume((long)id >= (long)min);
	__duet_assume((long)id <= (long)max);
	return id;
}
static inline void ida_free(struct ida *ida, unsigned int id)
{
}
static inline void ida_destroy(struct ida *ida)
{
}
static inline bool ida_is_empty(const struct ida *ida)
{
	return __duet_nondet_bool();
}

static inline int idr_alloc(struct idr *idr, void *pointer, int start, int end, gfp_t flags)
{
	int id = __duet_nondet_int();

	if (start < 0 || __duet_nondet_bool() || !__duet_store(&idr->idr_rt.xa_head, pointer))
		return __duet_error();
	__duet_assume(id >= start);
	__duet_assume(end <= 0 || id < end);
	return id;
}
static inline int idr_alloc_cyclic(struct idr *idr, void *pointer, int start, int end, gfp_t flags)
{
	int id = idr_alloc(idr, pointer, start, end, flags);

	__duet_havoc(idr->idr_next);
	return id;
}
static inline int idr_alloc_u32(struct idr *idr, void *pointer, u32 *next, unsigned long max, gfp_t flags)
{
	u32 id = __duet_nondet_uint();

	if (__duet_nondet_bool() || !__duet_store(&idr->idr_rt.xa_head, pointer))
		return __duet_error();
	__duet_assume(id >= *next);
	__duet_assume(id <= max);
	*next = id;
	return 0;
}
static inline void *idr_find(const struct idr *idr, unsigned long id)
{
	return __duet_stored(&idr->idr_rt.xa_head);
}
static inline void *idr_remove(struct idr *idr, unsigned long id)
{
	return __duet_stored(&idr->idr_rt.xa_head);
}
static inline void *idr_replace(struct idr *idr, void *pointer, unsigned long id)
{
	if (__duet_nondet_bool() || !__duet_store(&idr->idr_rt.xa_head, pointer))
		return ERR_PTR(__duet_error());
	return __duet_stored(&idr->idr_rt.xa_head);
}
static inline void *idr_get_next(struct idr *idr, int *next)
{
	int id = __duet_nondet_int();
	void *found = __duet_stored(&idr->idr_rt.xa_head);

	__duet_assume(id >= *next);
	if (found)
		*next = id;
	return found;
}
static inline void *idr_get_next_ul(struct idr *idr, unsigned long *next)
{
	unsigned long id = __duet_nondet_ulong();
	void *found = __duet_stored(&idr->idr_rt.xa_head);

	__duet_assume(id >= *next);
	if (found)
		*next = id;
	return found;
}
static inline int idr_for_each(const struct idr *idr, int (*function)(int id, void *pointer, void *data), void *data)
{
	int result = 0;

	while (result == 0 && __duet_nondet_bool()) {
		int id = __duet_nondet_int();
		void *found = __duet_stored(&idr->idr_rt.xa_head);

		__duet_assume(id >= 0);
		if (found)
			result = function(id, found, data);
	}
	return result;
}
static inline void idr_destroy(struct idr *idr)
{
}
static inline bool idr_is_empty(const struct idr *idr)
{
	return __duet_nondet_bool();
}
static inline bool radix_tree_empty(const struct radix_tree_root *root)
{
	return __duet_nondet_bool();
}
static inline void idr_preload(gfp_t flags)
{
}
static inline void idr_preload_end(void)
{
}

#endif
