/* <linux/refcount.h>: counters of references: they stick where they would wrap or come back from 0 */
#ifndef DUET_LINUX_REFCOUNT_H
#define DUET_LINUX_REFCOUNT_H

#include <linux/atomic.h>

typedef struct {
	int counter;
} refcount_t;

#define REFCOUNT_INIT(value) {(value)}
#define REFCOUNT_SATURATED (-1073741824)
#define refcount_set(cell, value) ((void)__atomic_store_n(&(cell)->counter, (value), 5))
#define refcount_read(cell) ((unsigned int)__atomic_load_n(&(cell)->counter, 5))

/* Makes one change in the first case, else adds; what is wrong shows for a moment before the counter sticks. */
#define __duet_refcount_change(cell, is_first, first, amount, is_wrong)                              \
	({                                                                                           \
		refcount_t *__duet_count = (cell);                                                   \
		__duet_atomic_begin();                                                               \
		(is_first) ? (first, __duet_atomic_end(), 1)                                         \
		: (is_wrong) ? (__duet_refcount_add(amount), __duet_atomic_end(),                    \
				refcount_set(__duet_count, REFCOUNT_SATURATED), 0)                   \
			     : (__duet_refcount_add(amount), __duet_atomic_end(), 0);                \
	})
#define __duet_refcount_add(amount) \
	((void)(__duet_count->counter = (int)((unsigned int)__duet_count->counter + (unsigned int)(amount))))
#define __duet_refcount_full (__duet_count->counter < 0 || __duet_count->counter == 2147483647)

#define refcount_inc(cell) \
	((void)__duet_refcount_change(cell, 0, (void)0, 1, __duet_count->counter == 0 || __duet_refcount_full))
/* Whether it was not 0. */
#define refcount_inc_not_zero(cell) \
	(!__duet_refcount_change(cell, __duet_count->counter == 0, (void)0, 1, __duet_refcount_full))
/* Whether it was the last. */
#define refcount_dec_and_test(cell) \
	__duet_refcount_change(cell, __duet_count->counter == 1, __duet_refcount_add(-1), -1, __duet_count->counter <= 0)
/* The last one is not to go this way. */
#define refcount_dec(cell) ((void)__duet_refcount_change(cell, 0, (void)0, -1, __duet_count->counter <= 1))

#endif
