/* <duet/stored.h>: sets of pointers, in the place of trees: what was put into one may be found as often as one likes */
#ifndef DUET_OVERLAY_STORED_H
#define DUET_OVERLAY_STORED_H

#include <linux/slab.h>
#include <linux/err.h>
#include <duet/intrinsics.h>

struct __duet_entry {
	void *pointer;
	struct __duet_entry *next;
};

/* Puts a pointer into the set that starts at a place; 0 where there is no memory. Nothing is ever taken out. */
static inline bool __duet_store(void **set, void *pointer)
{
	struct __duet_entry *entry = kzalloc(sizeof(*entry), 0);

	if (!entry)
		return 0;
	entry->pointer = pointer;
	__duet_atomic_begin();
	entry->next = (struct __duet_entry *)*set;
	*set = entry;
	__duet_atomic_end();
	return 1;
}
/* Any pointer of a set, or null. */
static inline void *__duet_stored(void *const *set)
{
	struct __duet_entry *entry = (struct __duet_entry *)__duet_read_once(*set);

	while (entry && __duet_nondet_bool())
		entry = entry->next;
	return entry ? entry->pointer : (void *)0;
}

#endif
