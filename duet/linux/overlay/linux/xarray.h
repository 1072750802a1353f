/* <linux/xarray.h> over the kernel's own: arrays of pointers by numbers: any pointer that was put in may be found */
#ifndef DUET_OVERLAY_XARRAY_H
#define DUET_OVERLAY_XARRAY_H

#include_next <linux/xarray.h>
#include <duet/stored.h>

static inline bool xa_empty(const struct xarray *xa)
{
	return __duet_nondet_bool();
}
static inline void *xa_load(struct xarray *xa, unsigned long index)
{
	return __duet_stored(&xa->xa_head);
}
static inline void *__xa_erase(struct xarray *xa, unsigned long index)
{
	return __duet_stored(&xa->xa_head);
}
static inline void *xa_erase(struct xarray *xa, unsigned long index)
{
	return __duet_stored(&xa->xa_head);
}
/* What was there before, or an entry that says what went wrong, see xa_err(). */
static inline void *__xa_store(struct xarray *xa, unsigned long index, void *entry, gfp_t flags)
{
	if (__duet_nondet_bool() || !__duet_store(&xa->xa_head, entry))
		return __duet_error_pointer((long)__duet_error() * 4 + 2);
	return __duet_stored(&xa->xa_head);
}
static inline void *xa_store(struct xarray *xa, unsigned long index, void *entry, gfp_t flags)
{
	return __xa_store(xa, index, entry, flags);
}
static inline void *__xa_cmpxchg(struct xarray *xa, unsigned long index, void *old, void *entry, gfp_t flags)
{
	return __xa_store(xa, index, entry, flags);
}
static inline int __xa_insert(struct xarray *xa, unsigned long index, void *entry, gfp_t flags)
{
	return __duet_nondet_bool() || !__duet_store(&xa->xa_head, entry) ? __duet_error() : 0;
}
static inline int __xa_alloc(struct xarray *xa, u32 *number, void *entry, struct xa_limit limit, gfp_t flags)
{
	u32 id = __duet_nondet_uint();

	if (__duet_nondet_bool() || !__duet_store(&xa->xa_head, entry))
		return __duet_error();
	__duet_assume(id >= limit.min);
	__duet_assume(id <= limit.max);
	*number = id;
	return 0;
}
/* 1 where the numbers began anew. */
static inline int __xa_alloc_cyclic(struct xarray *xa, u32 *number, void *entry, struct xa_limit limit, u32 *next,
				    gfp_t flags)
{
	int status = __xa_alloc(xa, number, entry, limit, flags);

	__duet_havoc(*next);
	return status == 0 ? __duet_nondet_bool() : status;
}
static inline void *xa_find(struct xarray *xa, unsigned long *index, unsigned long most, xa_mark_t mark)
{
	unsigned long found = __duet_nondet_ulong();
	void *entry = __duet_stored(&xa->xa_head);

	__duet_assume(found >= *index);
	__duet_assume(found <= most);
	if (entry)
		*index = found;
	return entry;
}
static inline void *xa_find_after(struct xarray *xa, unsigned long *index, unsigned long most, xa_mark_t mark)
{
	return xa_find(xa, index, most, mark);
}
static inline void xa_set_mark(struct xarray *xa, unsigned long index, xa_mark_t mark)
{
}
static inline void xa_clear_mark(struct xarray *xa, unsigned long index, xa_mark_t mark)
{
}
static inline bool xa_get_mark(struct xarray *xa, unsigned long index, xa_mark_t mark)
{
	return __duet_nondet_bool();
}
static inline bool xa_marked(const struct xarray *xa, xa_mark_t mark)
{
	return __duet_nondet_bool();
}
/* These look at how an array is kept. */
static inline void *xa_head(const struct xarray *xa)
{
	return __duet_stored(&xa->xa_head);
}
static inline void *xa_head_locked(const struct xarray *xa)
{
	return __duet_stored(&xa->xa_head);
}
static inline void xa_destroy(struct xarray *xa)
{
}

#endif
