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

/* Adds one; false where it was 0, which counts as an error but for `not_zero`. */
#define __duet_refcount_inc(cell, not_zero)                                                        \
	({                                                                                         \
		_Bool __duet_alive = 1;                                                            \
		__duet_atomic_begin();                                                             \
		if ((cell)->counter == 0) {                                                        \
			__duet_alive = 0;                                                          \
			if (!(not_zero))                                                           \
				(cell)->counter = REFCOUNT_SATURATED;                              \
		} else if ((cell)->counter < 0 || (cell)->counter == 2147483647) {                 \
			(cell)->counter = REFCOUNT_SATURATED;                                      \
		} else {                                                                           \
			(cell)->counter = (int)((unsigned int)(cell)->counter + 1U);               \
		}                                                                                  \
		__duet_atomic_end();                                                               \
		__duet_alive;                                                                      \
	})

/* Takes one off; whether it was the last. */
#define __duet_refcount_dec(cell)                                                                  \
	({                                                                                         \
		_Bool __duet_last = 0;                                                             \
		__duet_atomic_begin();                                                             \
		if ((cell)->counter == 1) {                                                        \
			(cell)->counter = 0;                                                       \
			__duet_last = 1;                                                           \
		} else if ((cell)->counter <= 0) {                                                 \
			(cell)->counter = REFCOUNT_SATURATED;                                      \
		} else {                                                                           \
			(cell)->counter = (int)((unsigned int)(cell)->counter - 1U);               \
		}                                                                                  \
		__duet_atomic_end();                                                               \
		__duet_last;                                                                       \
	})

#define refcount_inc(cell) ((void)__duet_refcount_inc(cell, 0))
#define refcount_inc_not_zero(cell) __duet_refcount_inc(cell, 1)
#define refcount_dec_and_test(cell) __duet_refcount_dec(cell)
#define refcount_dec(cell) ((void)__duet_refcount_dec(cell))

#endif
