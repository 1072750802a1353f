/*
 * <linux/atomic.h>: atomic counters: they wrap. Operations with weaker orders say so, by their order or by
 * __duet_weak_order(). Macros serve counters of every width, since each operation is that of the type of the counter.
 */
#ifndef DUET_LINUX_ATOMIC_H
#define DUET_LINUX_ATOMIC_H

#include <linux/types.h>
#include <duet/intrinsics.h>
#include <asm/barrier.h>

#ifndef __DUET_OVERLAY
typedef struct {
	int counter;
} atomic_t;
typedef struct {
	s64 counter;
} atomic64_t;
typedef struct {
	long counter;
} atomic_long_t;
#endif

#define ATOMIC_INIT(value) {(value)}
#define ATOMIC64_INIT(value) {(value)}
#define ATOMIC_LONG_INIT(value) {(value)}
#define smp_mb__before_atomic() do { } while (0)
#define smp_mb__after_atomic() do { } while (0)

/* Only changes that return a value order other accesses. */
#define atomic_read(cell) __atomic_load_n(&(cell)->counter, 0)
#define atomic_set(cell, value) ((void)__atomic_store_n(&(cell)->counter, (value), 0))
#define atomic_read_acquire(cell) __atomic_load_n(&(cell)->counter, 2)
#define atomic_set_release(cell, value) ((void)__atomic_store_n(&(cell)->counter, (value), 3))
#define atomic_add(amount, cell) ((void)__atomic_fetch_add(&(cell)->counter, (amount), 0))
#define atomic_sub(amount, cell) ((void)__atomic_fetch_sub(&(cell)->counter, (amount), 0))
#define atomic_and(amount, cell) ((void)__atomic_fetch_and(&(cell)->counter, (amount), 0))
#define atomic_or(amount, cell) ((void)__atomic_fetch_or(&(cell)->counter, (amount), 0))
#define atomic_xor(amount, cell) ((void)__atomic_fetch_xor(&(cell)->counter, (amount), 0))
#define atomic_andnot(amount, cell) atomic_and(~(amount), cell)
#define atomic_inc(cell) atomic_add(1, cell)
#define atomic_dec(cell) atomic_sub(1, cell)
#define atomic_add_return(amount, cell) __sync_add_and_fetch(&(cell)->counter, (amount))
#define atomic_sub_return(amount, cell) __sync_sub_and_fetch(&(cell)->counter, (amount))
#define atomic_fetch_add(amount, cell) __sync_fetch_and_add(&(cell)->counter, (amount))
#define atomic_fetch_sub(amount, cell) __sync_fetch_and_sub(&(cell)->counter, (amount))
#define atomic_fetch_and(amount, cell) __sync_fetch_and_and(&(cell)->counter, (amount))
#define atomic_fetch_or(amount, cell) __sync_fetch_and_or(&(cell)->counter, (amount))
#define atomic_fetch_xor(amount, cell) __sync_fetch_and_xor(&(cell)->counter, (amount))
#define atomic_inc_return(cell) atomic_add_return(1, cell)
#define atomic_fetch_inc(cell) atomic_fetch_add(1, cell)
#define atomic_dec_return(cell) atomic_sub_return(1, cell)
#define atomic_fetch_dec(cell) atomic_fetch_sub(1, cell)
#define atomic_xchg(cell, value) __atomic_exchange_n(&(cell)->counter, (value), 5)
#define atomic_cmpxchg(cell, old, new) __sync_val_compare_and_swap(&(cell)->counter, (old), (new))
#define atomic_try_cmpxchg(cell, old, new) \
	__atomic_compare_exchange_n(&(cell)->counter, (old), (new), 0, 5, 5)
#define atomic_add_return_relaxed(amount, cell) (__duet_weak_order(), __sync_add_and_fetch(&(cell)->counter, (amount)))
#define atomic_sub_return_relaxed(amount, cell) (__duet_weak_order(), __sync_sub_and_fetch(&(cell)->counter, (amount)))
#define atomic_fetch_add_relaxed(amount, cell) (__duet_weak_order(), __sync_fetch_and_add(&(cell)->counter, (amount)))
#define atomic_fetch_sub_relaxed(amount, cell) (__duet_weak_order(), __sync_fetch_and_sub(&(cell)->counter, (amount)))
#define atomic_fetch_and_relaxed(amount, cell) (__duet_weak_order(), __sync_fetch_and_and(&(cell)->counter, (amount)))
#define atomic_fetch_or_relaxed(amount, cell) (__duet_weak_order(), __sync_fetch_and_or(&(cell)->counter, (amount)))
#define atomic_fetch_xor_relaxed(amount, cell) (__duet_weak_order(), __sync_fetch_and_xor(&(cell)->counter, (amount)))
#define atomic_inc_return_relaxed(cell) atomic_add_return_relaxed(1, cell)
#define atomic_fetch_inc_relaxed(cell) atomic_fetch_add_relaxed(1, cell)
#define atomic_dec_return_relaxed(cell) atomic_sub_return_relaxed(1, cell)
#define atomic_fetch_dec_relaxed(cell) atomic_fetch_sub_relaxed(1, cell)
#define atomic_xchg_relaxed(cell, value) (__duet_weak_order(), __atomic_exchange_n(&(cell)->counter, (value), 5))
#define atomic_cmpxchg_relaxed(cell, old, new) (__duet_weak_order(), __sync_val_compare_and_swap(&(cell)->counter, (old), (new)))
#define atomic_try_cmpxchg_relaxed(cell, old, new) \
	(__duet_weak_order(), __atomic_compare_exchange_n(&(cell)->counter, (old), (new), 0, 5, 5))
#define atomic_add_return_acquire(amount, cell) (__duet_weak_order(), __sync_add_and_fetch(&(cell)->counter, (amount)))
#define atomic_sub_return_acquire(amount, cell) (__duet_weak_order(), __sync_sub_and_fetch(&(cell)->counter, (amount)))
#define atomic_fetch_add_acquire(amount, cell) (__duet_weak_order(), __sync_fetch_and_add(&(cell)->counter, (amount)))
#define atomic_fetch_sub_acquire(amount, cell) (__duet_weak_order(), __sync_fetch_and_sub(&(cell)->counter, (amount)))
#define atomic_fetch_and_acquire(amount, cell) (__duet_weak_order(), __sync_fetch_and_and(&(cell)->counter, (amount)))
#define atomic_fetch_or_acquire(amount, cell) (__duet_weak_order(), __sync_fetch_and_or(&(cell)->counter, (amount)))
#define atomic_fetch_xor_acquire(amount, cell) (__duet_weak_order(), __sync_fetch_and_xor(&(cell)->counter, (amount)))
#define atomic_inc_return_acquire(cell) atomic_add_return_acquire(1, cell)
#define atomic_fetch_inc_acquire(cell) atomic_fetch_add_acquire(1, cell)
#define atomic_dec_return_acquire(cell) atomic_sub_return_acquire(1, cell)
#define atomic_fetch_dec_acquire(cell) atomic_fetch_sub_acquire(1, cell)
#define atomic_xchg_acquire(cell, value) (__duet_weak_order(), __atomic_exchange_n(&(cell)->counter, (value), 5))
#define atomic_cmpxchg_acquire(cell, old, new) (__duet_weak_order(), __sync_val_compare_and_swap(&(cell)->counter, (old), (new)))
#define atomic_try_cmpxchg_acquire(cell, old, new) \
	(__duet_weak_order(), __atomic_compare_exchange_n(&(cell)->counter, (old), (new), 0, 5, 5))
#define atomic_add_return_release(amount, cell) (__duet_weak_order(), __sync_add_and_fetch(&(cell)->counter, (amount)))
#define atomic_sub_return_release(amount, cell) (__duet_weak_order(), __sync_sub_and_fetch(&(cell)->counter, (amount)))
#define atomic_fetch_add_release(amount, cell) (__duet_weak_order(), __sync_fetch_and_add(&(cell)->counter, (amount)))
#define atomic_fetch_sub_release(amount, cell) (__duet_weak_order(), __sync_fetch_and_sub(&(cell)->counter, (amount)))
#define atomic_fetch_and_release(amount, cell) (__duet_weak_order(), __sync_fetch_and_and(&(cell)->counter, (amount)))
#define atomic_fetch_or_release(amount, cell) (__duet_weak_order(), __sync_fetch_and_or(&(cell)->counter, (amount)))
#define atomic_fetch_xor_release(amount, cell) (__duet_weak_order(), __sync_fetch_and_xor(&(cell)->counter, (amount)))
#define atomic_inc_return_release(cell) atomic_add_return_release(1, cell)
#define atomic_fetch_inc_release(cell) atomic_fetch_add_release(1, cell)
#define atomic_dec_return_release(cell) atomic_sub_return_release(1, cell)
#define atomic_fetch_dec_release(cell) atomic_fetch_sub_release(1, cell)
#define atomic_xchg_release(cell, value) (__duet_weak_order(), __atomic_exchange_n(&(cell)->counter, (value), 5))
#define atomic_cmpxchg_release(cell, old, new) (__duet_weak_order(), __sync_val_compare_and_swap(&(cell)->counter, (old), (new)))
#define atomic_try_cmpxchg_release(cell, old, new) \
	(__duet_weak_order(), __atomic_compare_exchange_n(&(cell)->counter, (old), (new), 0, 5, 5))
#define atomic_inc_and_test(cell) (atomic_inc_return(cell) == 0)
#define atomic_dec_and_test(cell) (atomic_dec_return(cell) == 0)
#define atomic_sub_and_test(amount, cell) (atomic_sub_return(amount, cell) == 0)
#define atomic_add_negative(amount, cell) (atomic_add_return(amount, cell) < 0)
/* What it was; nothing is added where that is so. */
#define __duet_fetch_add_unless(cell, amount, is_so)                                            \
	({                                                                                      \
		__typeof__(&*(cell)) __duet_cell = (cell);                                      \
		__typeof__((cell)->counter) __duet_amount = (amount);                           \
		__duet_atomic_begin();                                                          \
		__duet_cell->counter is_so                                                      \
			? (__duet_atomic_end(), 0)                                              \
			: (atomic_fetch_add(__duet_amount, __duet_cell), __duet_atomic_end(), 1); \
	})
#define atomic_add_unless(cell, amount, limit)                        \
	({                                                            \
		__typeof__((cell)->counter) __duet_limit = (limit);   \
		0 || __duet_fetch_add_unless(cell, amount, == __duet_limit); \
	})
#define atomic_inc_not_zero(cell) __duet_fetch_add_unless(cell, 1, == 0)
#define atomic_inc_unless_negative(cell) __duet_fetch_add_unless(cell, 1, < 0)
#define atomic_dec_unless_positive(cell) __duet_fetch_add_unless(cell, -1, > 0)
/* What it was, less one; changed only where it was positive. */
#define atomic_dec_if_positive(cell)                                                         \
	({                                                                                   \
		__typeof__(&*(cell)) __duet_cell = (cell);                                   \
		__typeof__((cell)->counter) __duet_new;                                      \
		__duet_atomic_begin();                                                       \
		__duet_new = (__typeof__(__duet_new))((unsigned long)__duet_cell->counter - 1UL); \
		if (__duet_cell->counter > 0)                                                \
			__duet_cell->counter = __duet_new;                                   \
		__duet_atomic_end();                                                         \
		__duet_new;                                                                  \
	})

#define atomic64_read(cell) atomic_read(cell)
#define atomic64_set(cell, value) atomic_set(cell, value)
#define atomic64_read_acquire(cell) atomic_read_acquire(cell)
#define atomic64_set_release(cell, value) atomic_set_release(cell, value)
#define atomic64_add(amount, cell) atomic_add(amount, cell)
#define atomic64_sub(amount, cell) atomic_sub(amount, cell)
#define atomic64_and(amount, cell) atomic_and(amount, cell)
#define atomic64_or(amount, cell) atomic_or(amount, cell)
#define atomic64_xor(amount, cell) atomic_xor(amount, cell)
#define atomic64_andnot(amount, cell) atomic_andnot(amount, cell)
#define atomic64_inc(cell) atomic_inc(cell)
#define atomic64_dec(cell) atomic_dec(cell)
#define atomic64_add_return(amount, cell) atomic_add_return(amount, cell)
#define atomic64_sub_return(amount, cell) atomic_sub_return(amount, cell)
#define atomic64_fetch_add(amount, cell) atomic_fetch_add(amount, cell)
#define atomic64_fetch_sub(amount, cell) atomic_fetch_sub(amount, cell)
#define atomic64_fetch_and(amount, cell) atomic_fetch_and(amount, cell)
#define atomic64_fetch_or(amount, cell) atomic_fetch_or(amount, cell)
#define atomic64_fetch_xor(amount, cell) atomic_fetch_xor(amount, cell)
#define atomic64_inc_return(cell) atomic_inc_return(cell)
#define atomic64_fetch_inc(cell) atomic_fetch_inc(cell)
#define atomic64_dec_return(cell) atomic_dec_return(cell)
#define atomic64_fetch_dec(cell) atomic_fetch_dec(cell)
#define atomic64_xchg(cell, value) atomic_xchg(cell, value)
#define atomic64_cmpxchg(cell, old, new) atomic_cmpxchg(cell, old, new)
#define atomic64_try_cmpxchg(cell, old, new) atomic_try_cmpxchg(cell, old, new)
#define atomic64_add_return_relaxed(amount, cell) atomic_add_return_relaxed(amount, cell)
#define atomic64_sub_return_relaxed(amount, cell) atomic_sub_return_relaxed(amount, cell)
#define atomic64_fetch_add_relaxed(amount, cell) atomic_fetch_add_relaxed(amount, cell)
#define atomic64_fetch_sub_relaxed(amount, cell) atomic_fetch_sub_relaxed(amount, cell)
#define atomic64_fetch_and_relaxed(amount, cell) atomic_fetch_and_relaxed(amount, cell)
#define atomic64_fetch_or_relaxed(amount, cell) atomic_fetch_or_relaxed(amount, cell)
#define atomic64_fetch_xor_relaxed(amount, cell) atomic_fetch_xor_relaxed(amount, cell)
#define atomic64_inc_return_relaxed(cell) atomic_inc_return_relaxed(cell)
#define atomic64_fetch_inc_relaxed(cell) atomic_fetch_inc_relaxed(cell)
#define atomic64_dec_return_relaxed(cell) atomic_dec_return_relaxed(cell)
#define atomic64_fetch_dec_relaxed(cell) atomic_fetch_dec_relaxed(cell)
#define atomic64_xchg_relaxed(cell, value) atomic_xchg_relaxed(cell, value)
#define atomic64_cmpxchg_relaxed(cell, old, new) atomic_cmpxchg_relaxed(cell, old, new)
#define atomic64_try_cmpxchg_relaxed(cell, old, new) atomic_try_cmpxchg_relaxed(cell, old, new)
#define atomic64_add_return_acquire(amount, cell) atomic_add_return_acquire(amount, cell)
#define atomic64_sub_return_acquire(amount, cell) atomic_sub_return_acquire(amount, cell)
#define atomic64_fetch_add_acquire(amount, cell) atomic_fetch_add_acquire(amount, cell)
#define atomic64_fetch_sub_acquire(amount, cell) atomic_fetch_sub_acquire(amount, cell)
#define atomic64_fetch_and_acquire(amount, cell) atomic_fetch_and_acquire(amount, cell)
#define atomic64_fetch_or_acquire(amount, cell) atomic_fetch_or_acquire(amount, cell)
#define atomic64_fetch_xor_acquire(amount, cell) atomic_fetch_xor_acquire(amount, cell)
#define atomic64_inc_return_acquire(cell) atomic_inc_return_acquire(cell)
#define atomic64_fetch_inc_acquire(cell) atomic_fetch_inc_acquire(cell)
#define atomic64_dec_return_acquire(cell) atomic_dec_return_acquire(cell)
#define atomic64_fetch_dec_acquire(cell) atomic_fetch_dec_acquire(cell)
#define atomic64_xchg_acquire(cell, value) atomic_xchg_acquire(cell, value)
#define atomic64_cmpxchg_acquire(cell, old, new) atomic_cmpxchg_acquire(cell, old, new)
#define atomic64_try_cmpxchg_acquire(cell, old, new) atomic_try_cmpxchg_acquire(cell, old, new)
#define atomic64_add_return_release(amount, cell) atomic_add_return_release(amount, cell)
#define atomic64_sub_return_release(amount, cell) atomic_sub_return_release(amount, cell)
#define atomic64_fetch_add_release(amount, cell) atomic_fetch_add_release(amount, cell)
#define atomic64_fetch_sub_release(amount, cell) atomic_fetch_sub_release(amount, cell)
#define atomic64_fetch_and_release(amount, cell) atomic_fetch_and_release(amount, cell)
#define atomic64_fetch_or_release(amount, cell) atomic_fetch_or_release(amount, cell)
#define atomic64_fetch_xor_release(amount, cell) atomic_fetch_xor_release(amount, cell)
#define atomic64_inc_return_release(cell) atomic_inc_return_release(cell)
#define atomic64_fetch_inc_release(cell) atomic_fetch_inc_release(cell)
#define atomic64_dec_return_release(cell) atomic_dec_return_release(cell)
#define atomic64_fetch_dec_release(cell) atomic_fetch_dec_release(cell)
#define atomic64_xchg_release(cell, value) atomic_xchg_release(cell, value)
#define atomic64_cmpxchg_release(cell, old, new) atomic_cmpxchg_release(cell, old, new)
#define atomic64_try_cmpxchg_release(cell, old, new) atomic_try_cmpxchg_release(cell, old, new)
#define atomic64_inc_and_test(cell) atomic_inc_and_test(cell)
#define atomic64_dec_and_test(cell) atomic_dec_and_test(cell)
#define atomic64_sub_and_test(amount, cell) atomic_sub_and_test(amount, cell)
#define atomic64_add_negative(amount, cell) atomic_add_negative(amount, cell)
#define atomic64_add_unless(cell, amount, limit) atomic_add_unless(cell, amount, limit)
#define atomic64_inc_not_zero(cell) atomic_inc_not_zero(cell)
#define atomic64_inc_unless_negative(cell) atomic_inc_unless_negative(cell)
#define atomic64_dec_unless_positive(cell) atomic_dec_unless_positive(cell)
#define atomic64_dec_if_positive(cell) atomic_dec_if_positive(cell)

#define atomic_long_read(cell) atomic_read(cell)
#define atomic_long_set(cell, value) atomic_set(cell, value)
#define atomic_long_read_acquire(cell) atomic_read_acquire(cell)
#define atomic_long_set_release(cell, value) atomic_set_release(cell, value)
#define atomic_long_add(amount, cell) atomic_add(amount, cell)
#define atomic_long_sub(amount, cell) atomic_sub(amount, cell)
#define atomic_long_and(amount, cell) atomic_and(amount, cell)
#define atomic_long_or(amount, cell) atomic_or(amount, cell)
#define atomic_long_xor(amount, cell) atomic_xor(amount, cell)
#define atomic_long_andnot(amount, cell) atomic_andnot(amount, cell)
#define atomic_long_inc(cell) atomic_inc(cell)
#define atomic_long_dec(cell) atomic_dec(cell)
#define atomic_long_add_return(amount, cell) atomic_add_return(amount, cell)
#define atomic_long_sub_return(amount, cell) atomic_sub_return(amount, cell)
#define atomic_long_fetch_add(amount, cell) atomic_fetch_add(amount, cell)
#define atomic_long_fetch_sub(amount, cell) atomic_fetch_sub(amount, cell)
#define atomic_long_fetch_and(amount, cell) atomic_fetch_and(amount, cell)
#define atomic_long_fetch_or(amount, cell) atomic_fetch_or(amount, cell)
#define atomic_long_fetch_xor(amount, cell) atomic_fetch_xor(amount, cell)
#define atomic_long_inc_return(cell) atomic_inc_return(cell)
#define atomic_long_fetch_inc(cell) atomic_fetch_inc(cell)
#define atomic_long_dec_return(cell) atomic_dec_return(cell)
#define atomic_long_fetch_dec(cell) atomic_fetch_dec(cell)
#define atomic_long_xchg(cell, value) atomic_xchg(cell, value)
#define atomic_long_cmpxchg(cell, old, new) atomic_cmpxchg(cell, old, new)
#define atomic_long_try_cmpxchg(cell, old, new) atomic_try_cmpxchg(cell, old, new)
#define atomic_long_add_return_relaxed(amount, cell) atomic_add_return_relaxed(amount, cell)
#define atomic_long_sub_return_relaxed(amount, cell) atomic_sub_return_relaxed(amount, cell)
#define atomic_long_fetch_add_relaxed(amount, cell) atomic_fetch_add_relaxed(amount, cell)
#define atomic_long_fetch_sub_relaxed(amount, cell) atomic_fetch_sub_relaxed(amount, cell)
#define atomic_long_fetch_and_relaxed(amount, cell) atomic_fetch_and_relaxed(amount, cell)
#define atomic_long_fetch_or_relaxed(amount, cell) atomic_fetch_or_relaxed(amount, cell)
#define atomic_long_fetch_xor_relaxed(amount, cell) atomic_fetch_xor_relaxed(amount, cell)
#define atomic_long_inc_return_relaxed(cell) atomic_inc_return_relaxed(cell)
#define atomic_long_fetch_inc_relaxed(cell) atomic_fetch_inc_relaxed(cell)
#define atomic_long_dec_return_relaxed(cell) atomic_dec_return_relaxed(cell)
#define atomic_long_fetch_dec_relaxed(cell) atomic_fetch_dec_relaxed(cell)
#define atomic_long_xchg_relaxed(cell, value) atomic_xchg_relaxed(cell, value)
#define atomic_long_cmpxchg_relaxed(cell, old, new) atomic_cmpxchg_relaxed(cell, old, new)
#define atomic_long_try_cmpxchg_relaxed(cell, old, new) atomic_try_cmpxchg_relaxed(cell, old, new)
#define atomic_long_add_return_acquire(amount, cell) atomic_add_return_acquire(amount, cell)
#define atomic_long_sub_return_acquire(amount, cell) atomic_sub_return_acquire(amount, cell)
#define atomic_long_fetch_add_acquire(amount, cell) atomic_fetch_add_acquire(amount, cell)
#define atomic_long_fetch_sub_acquire(amount, cell) atomic_fetch_sub_acquire(amount, cell)
#define atomic_long_fetch_and_acquire(amount, cell) atomic_fetch_and_acquire(amount, cell)
#define atomic_long_fetch_or_acquire(amount, cell) atomic_fetch_or_acquire(amount, cell)
#define atomic_long_fetch_xor_acquire(amount, cell) atomic_fetch_xor_acquire(amount, cell)
#define atomic_long_inc_return_acquire(cell) atomic_inc_return_acquire(cell)
#define atomic_long_fetch_inc_acquire(cell) atomic_fetch_inc_acquire(cell)
#define atomic_long_dec_return_acquire(cell) atomic_dec_return_acquire(cell)
#define atomic_long_fetch_dec_acquire(cell) atomic_fetch_dec_acquire(cell)
#define atomic_long_xchg_acquire(cell, value) atomic_xchg_acquire(cell, value)
#define atomic_long_cmpxchg_acquire(cell, old, new) atomic_cmpxchg_acquire(cell, old, new)
#define atomic_long_try_cmpxchg_acquire(cell, old, new) atomic_try_cmpxchg_acquire(cell, old, new)
#define atomic_long_add_return_release(amount, cell) atomic_add_return_release(amount, cell)
#define atomic_long_sub_return_release(amount, cell) atomic_sub_return_release(amount, cell)
#define atomic_long_fetch_add_release(amount, cell) atomic_fetch_add_release(amount, cell)
#define atomic_long_fetch_sub_release(amount, cell) atomic_fetch_sub_release(amount, cell)
#define atomic_long_fetch_and_release(amount, cell) atomic_fetch_and_release(amount, cell)
#define atomic_long_fetch_or_release(amount, cell) atomic_fetch_or_release(amount, cell)
#define atomic_long_fetch_xor_release(amount, cell) atomic_fetch_xor_release(amount, cell)
#define atomic_long_inc_return_release(cell) atomic_inc_return_release(cell)
#define atomic_long_fetch_inc_release(cell) atomic_fetch_inc_release(cell)
#define atomic_long_dec_return_release(cell) atomic_dec_return_release(cell)
#define atomic_long_fetch_dec_release(cell) atomic_fetch_dec_release(cell)
#define atomic_long_xchg_release(cell, value) atomic_xchg_release(cell, value)
#define atomic_long_cmpxchg_release(cell, old, new) atomic_cmpxchg_release(cell, old, new)
#define atomic_long_try_cmpxchg_release(cell, old, new) atomic_try_cmpxchg_release(cell, old, new)
#define atomic_long_inc_and_test(cell) atomic_inc_and_test(cell)
#define atomic_long_dec_and_test(cell) atomic_dec_and_test(cell)
#define atomic_long_sub_and_test(amount, cell) atomic_sub_and_test(amount, cell)
#define atomic_long_add_negative(amount, cell) atomic_add_negative(amount, cell)
#define atomic_long_add_unless(cell, amount, limit) atomic_add_unless(cell, amount, limit)
#define atomic_long_inc_not_zero(cell) atomic_inc_not_zero(cell)
#define atomic_long_inc_unless_negative(cell) atomic_inc_unless_negative(cell)
#define atomic_long_dec_unless_positive(cell) atomic_dec_unless_positive(cell)
#define atomic_long_dec_if_positive(cell) atomic_dec_if_positive(cell)

#define xchg(address, value) __atomic_exchange_n(address, (value), 5)
#define cmpxchg(address, old, new) __sync_val_compare_and_swap(address, (old), (new))
#define try_cmpxchg(address, old, new) __atomic_compare_exchange_n(address, (old), (new), 0, 5, 5)
#define xchg_relaxed(address, value) (__duet_weak_order(), xchg(address, value))
#define cmpxchg_relaxed(address, old, new) (__duet_weak_order(), cmpxchg(address, old, new))
#define cmpxchg_acquire(address, old, new) (__duet_weak_order(), cmpxchg(address, old, new))
#define cmpxchg_release(address, old, new) (__duet_weak_order(), cmpxchg(address, old, new))

#endif
