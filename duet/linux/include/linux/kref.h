/* <linux/kref.h>: objects that count their references */
#ifndef DUET_LINUX_KREF_H
#define DUET_LINUX_KREF_H

#include <linux/refcount.h>

struct kref {
	refcount_t refcount;
};

#define KREF_INIT(value) {REFCOUNT_INIT(value)}
#define kref_init(kref) refcount_set(&(kref)->refcount, 1)
#define kref_read(kref) refcount_read(&(kref)->refcount)
#define kref_get(kref) refcount_inc(&(kref)->refcount)
#define kref_get_unless_zero(kref) refcount_inc_not_zero(&(kref)->refcount)
#define kref_put(object, release)                                             \
	({                                                                  \
		struct kref *__duet_kref = (object);                          \
		refcount_dec_and_test(&__duet_kref->refcount) ? ((release)(__duet_kref), 1) : 0; \
	})

#endif
