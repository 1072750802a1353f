/* <linux/atomic.h>: atomic counters: they wrap. Operations with weaker orders say so by __duet_weak_order(). */
#ifndef DUET_LINUX_ATOMIC_H
#define DUET_LINUX_ATOMIC_H

#include <linux/types.h>
#include <duet/intrinsics.h>
#include <asm/barrier.h>

typedef struct {
	int counter;
} atomic_t;
typedef struct {
	s64 counter;
} atomic64_t;
typedef struct {
	long counter;
} atomic_long_t;

#define ATOMIC_INIT(value) {(value)}
#define ATOMIC64_INIT(value) {(value)}
#define ATOMIC_LONG_INIT(value) {(value)}
#define smp_mb__before_atomic() do { } while (0)
#define smp_mb__after_atomic() do { } while (0)

#define atomic_read(cell) __atomic_load_n(&(cell)->counter, 5)
#define atomic_set(cell, value) ((void)__atomic_store_n(&(cell)->counter, (value), 5))
#define atomic_read_acquire(cell) (__duet_weak_order(), atomic_read(cell))
#define atomic_set_release(cell, value) (__duet_weak_order(), atomic_set(cell, value))
#define atomic_add(amount, cell) ((void)__sync_fetch_and_add(&(cell)->counter, (amount)))
#define atomic_sub(amount, cell) ((void)__sync_fetch_and_sub(&(cell)->counter, (amount)))
#define atomic_and(amount, cell) ((void)__sync_fetch_and_and(&(cell)->counter, (amount)))
#define atomic_or(amount, cell) ((void)__sync_fetch_and_or(&(cell)->counter, (amount)))
#define atomic_xor(amount, cell) ((void)__sync_fetch_and_xor(&(cell)->counter, (amount)))
#define atomic_andnot(amount, cell) ((void)__sync_fetch_and_and(&(cell)->counter, ~(amount)))
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
#define atomic_add_unless(cell, amount, limit)                                                                        \
	(__duet_atomic_begin(), (cell)->counter == (limit)                                                             \
					? (__duet_atomic_end(), 0)                                                     \
					: (atomic_add(amount, cell), __duet_atomic_end(), 1))
#define atomic_inc_not_zero(cell) atomic_add_unless(cell, 1, 0)
#define atomic_inc_unless_negative(cell) atomic_unless(cell, 1, (cell)->counter < 0)
#define atomic_dec_unless_positive(cell) atomic_unless(cell, -1, (cell)->counter > 0)
#define atomic_unless(cell, amount, condition)                                                                        \
	(__duet_atomic_begin(), (condition) ? (__duet_atomic_end(), 0) : (atomic_add(amount, cell), __duet_atomic_end(), 1))
/* What it was, less one; changed only where it was positive. */
#define atomic_dec_if_positive(cell)                              \
	({                                                         \
		__typeof__((cell)->counter) __duet_old;             \
		__duet_atomic_begin();                              \
		__duet_old = (cell)->counter;                       \
		if (__duet_old > 0)                                 \
			(cell)->counter = (__typeof__(__duet_old))((unsigned long)__duet_old - 1UL);           \
		__duet_atomic_end();                                \
		(__typeof__(__duet_old))((unsigned long)__duet_old - 1UL);             \
	})

#define atomic64_read(cell) __atomic_load_n(&(cell)->counter, 5)
#define atomic64_set(cell, value) ((void)__atomic_store_n(&(cell)->counter, (value), 5))
#define atomic64_read_acquire(cell) (__duet_weak_order(), atomic64_read(cell))
#define atomic64_set_release(cell, value) (__duet_weak_order(), atomic64_set(cell, value))
#define atomic64_add(amount, cell) ((void)__sync_fetch_and_add(&(cell)->counter, (amount)))
#define atomic64_sub(amount, cell) ((void)__sync_fetch_and_sub(&(cell)->counter, (amount)))
#define atomic64_and(amount, cell) ((void)__sync_fetch_and_and(&(cell)->counter, (amount)))
#define atomic64_or(amount, cell) ((void)__sync_fetch_and_or(&(cell)->counter, (amount)))
#define atomic64_xor(amount, cell) ((void)__sync_fetch_and_xor(&(cell)->counter, (amount)))
#define atomic64_andnot(amount, cell) ((void)__sync_fetch_and_and(&(cell)->counter, ~(amount)))
#define atomic64_inc(cell) atomic64_add(1, cell)
#define atomic64_dec(cell) atomic64_sub(1, cell)
#define atomic64_add_return(amount, cell) __sync_add_and_fetch(&(cell)->counter, (amount))
#define atomic64_sub_return(amount, cell) __sync_sub_and_fetch(&(cell)->counter, (amount))
#define atomic64_fetch_add(amount, cell) __sync_fetch_and_add(&(cell)->counter, (amount))
#define atomic64_fetch_sub(amount, cell) __sync_fetch_and_sub(&(cell)->counter, (amount))
#define atomic64_fetch_and(amount, cell) __sync_fetch_and_and(&(cell)->counter, (amount))
#define atomic64_fetch_or(amount, cell) __sync_fetch_and_or(&(cell)->counter, (amount))
#define atomic64_fetch_xor(amount, cell) __sync_fetch_and_xor(&(cell)->counter, (amount))
#define atomic64_inc_return(cell) atomic64_add_return(1, cell)
#define atomic64_fetch_inc(cell) atomic64_fetch_add(1, cell)
#define atomic64_dec_return(cell) atomic64_sub_return(1, cell)
#define atomic64_fetch_dec(cell) atomic64_fetch_sub(1, cell)
#define atomic64_xchg(cell, value) __atomic_exchange_n(&(cell)->counter, (value), 5)
#define atomic64_cmpxchg(cell, old, new) __sync_val_compare_and_swap(&(cell)->counter, (old), (new))
#define atomic64_try_cmpxchg(cell, old, new) \
	__atomic_compare_exchange_n(&(cell)->counter, (old), (new), 0, 5, 5)
#define atomic64_add_return_relaxed(amount, cell) (__duet_weak_order(), __sync_add_and_fetch(&(cell)->counter, (amount)))
#define atomic64_sub_return_relaxed(amount, cell) (__duet_weak_order(), __sync_sub_and_fetch(&(cell)->counter, (amount)))
#define atomic64_fetch_add_relaxed(amount, cell) (__duet_weak_order(), __sync_fetch_and_add(&(cell)->counter, (amount)))
#define atomic64_fetch_sub_relaxed(amount, cell) (__duet_weak_order(), __sync_fetch_and_sub(&(cell)->counter, (amount)))
#define atomic64_fetch_and_relaxed(amount, cell) (__duet_weak_order(), __sync_fetch_and_and(&(cell)->counter, (amount)))
#define atomic64_fetch_or_relaxed(amount, cell) (__duet_weak_order(), __sync_fetch_and_or(&(cell)->counter, (amount)))
#define atomic64_fetch_xor_relaxed(amount, cell) (__duet_weak_order(), __sync_fetch_and_xor(&(cell)->counter, (amount)))
#define atomic64_inc_return_relaxed(cell) atomic64_add_return_relaxed(1, cell)
#define atomic64_fetch_inc_relaxed(cell) atomic64_fetch_add_relaxed(1, cell)
#define atomic64_dec_return_relaxed(cell) atomic64_sub_return_relaxed(1, cell)
#define atomic64_fetch_dec_relaxed(cell) atomic64_fetch_sub_relaxed(1, cell)
#define atomic64_xchg_relaxed(cell, value) (__duet_weak_order(), __atomic_exchange_n(&(cell)->counter, (value), 5))
#define atomic64_cmpxchg_relaxed(cell, old, new) (__duet_weak_order(), __sync_val_compare_and_swap(&(cell)->counter, (old), (new)))
#define atomic64_try_cmpxchg_relaxed(cell, old, new) \
	(__duet_weak_order(), __atomic_compare_exchange_n(&(cell)->counter, (old), (new), 0, 5, 5))
#define atomic64_add_return_acquire(amount, cell) (__duet_weak_order(), __sync_add_and_fetch(&(cell)->counter, (amount)))
#define atomic64_sub_return_acquire(amount, cell) (__duet_weak_order(), __sync_sub_and_fetch(&(cell)->counter, (amount)))
#define atomic64_fetch_add_acquire(amount, cell) (__duet_weak_order(), __sync_fetch_and_add(&(cell)->counter, (amount)))
#define atomic64_fetch_sub_acquire(amount, cell) (__duet_weak_order(), __sync_fetch_and_sub(&(cell)->counter, (amount)))
#define atomic64_fetch_and_acquire(amount, cell) (__duet_weak_order(), __sync_fetch_and_and(&(cell)->counter, (amount)))
#define atomic64_fetch_or_acquire(amount, cell) (__duet_weak_order(), __sync_fetch_and_or(&(cell)->counter, (amount)))
#define atomic64_fetch_xor_acquire(amount, cell) (__duet_weak_order(), __sync_fetch_and_xor(&(cell)->counter, (amount)))
#define atomic64_inc_return_acquire(cell) atomic64_add_return_acquire(1, cell)
#define atomic64_fetch_inc_acquire(cell) atomic64_fetch_add_acquire(1, cell)
#define atomic64_dec_return_acquire(cell) atomic64_sub_return_acquire(1, cell)
#define atomic64_fetch_dec_acquire(cell) atomic64_fetch_sub_acquire(1, cell)
#define atomic64_xchg_acquire(cell, value) (__duet_weak_order(), __atomic_exchange_n(&(cell)->counter, (value), 5))
#define atomic64_cmpxchg_acquire(cell, old, new) (__duet_weak_order(), __sync_val_compare_and_swap(&(cell)->counter, (old), (new)))
#define atomic64_try_cmpxchg_acquire(cell, old, new) \
	(__duet_weak_order(), __atomic_compare_exchange_n(&(cell)->counter, (old), (new), 0, 5, 5))
#define atomic64_add_return_release(amount, cell) (__duet_weak_order(), __sync_add_and_fetch(&(cell)->counter, (amount)))
#define atomic64_sub_return_release(amount, cell) (__duet_weak_order(), __sync_sub_and_fetch(&(cell)->counter, (amount)))
#define atomic64_fetch_add_release(amount, cell) (__duet_weak_order(), __sync_fetch_and_add(&(cell)->counter, (amount)))
#define atomic64_fetch_sub_release(amount, cell) (__duet_weak_order(), __sync_fetch_and_sub(&(cell)->counter, (amount)))
#define atomic64_fetch_and_release(amount, cell) (__duet_weak_order(), __sync_fetch_and_and(&(cell)->counter, (amount)))
#define atomic64_fetch_or_release(amount, cell) (__duet_weak_order(), __sync_fetch_and_or(&(cell)->counter, (amount)))
#define atomic64_fetch_xor_release(amount, cell) (__duet_weak_order(), __sync_fetch_and_xor(&(cell)->counter, (amount)))
#define atomic64_inc_return_release(cell) atomic64_add_return_release(1, cell)
#define atomic64_fetch_inc_release(cell) atomic64_fetch_add_release(1, cell)
#define atomic64_dec_return_release(cell) atomic64_sub_return_release(1, cell)
#define atomic64_fetch_dec_release(cell) atomic64_fetch_sub_release(1, cell)
#define atomic64_xchg_release(cell, value) (__duet_weak_order(), __atomic_exchange_n(&(cell)->counter, (value), 5))
#define atomic64_cmpxchg_release(cell, old, new) (__duet_weak_order(), __sync_val_compare_and_swap(&(cell)->counter, (old), (new)))
#define atomic64_try_cmpxchg_release(cell, old, new) \
	(__duet_weak_order(), __atomic_compare_exchange_n(&(cell)->counter, (old), (new), 0, 5, 5))
#define atomic64_inc_and_test(cell) (atomic64_inc_return(cell) == 0)
#define atomic64_dec_and_test(cell) (atomic64_dec_return(cell) == 0)
#define atomic64_sub_and_test(amount, cell) (atomic64_sub_return(amount, cell) == 0)
#define atomic64_add_negative(amount, cell) (atomic64_add_return(amount, cell) < 0)
#define atomic64_add_unless(cell, amount, limit)                                                                        \
	(__duet_atomic_begin(), (cell)->counter == (limit)                                                             \
					? (__duet_atomic_end(), 0)                                                     \
					: (atomic64_add(amount, cell), __duet_atomic_end(), 1))
#define atomic64_inc_not_zero(cell) atomic64_add_unless(cell, 1, 0)
#define atomic64_inc_unless_negative(cell) atomic64_unless(cell, 1, (cell)->counter < 0)
#define atomic64_dec_unless_positive(cell) atomic64_unless(cell, -1, (cell)->counter > 0)
#define atomic64_unless(cell, amount, condition)                                                                        \
	(__duet_atomic_begin(), (condition) ? (__duet_atomic_end(), 0) : (atomic64_add(amount, cell), __duet_atomic_end(), 1))
/* What it was, less one; changed only where it was positive. */
#define atomic64_dec_if_positive(cell)                              \
	({                                                         \
		__typeof__((cell)->counter) __duet_old;             \
		__duet_atomic_begin();                              \
		__duet_old = (cell)->counter;                       \
		if (__duet_old > 0)                                 \
			(cell)->counter = (__typeof__(__duet_old))((unsigned long)__duet_old - 1UL);           \
		__duet_atomic_end();                                \
		(__typeof__(__duet_old))((unsigned long)__duet_old - 1UL);             \
	})

#define atomic_long_read(cell) __atomic_load_n(&(cell)->counter, 5)
#define atomic_long_set(cell, value) ((void)__atomic_store_n(&(cell)->counter, (value), 5))
#define atomic_long_read_acquire(cell) (__duet_weak_order(), atomic_long_read(cell))
#define atomic_long_set_release(cell, value) (__duet_weak_order(), atomic_long_set(cell, value))
#define atomic_long_add(amount, cell) ((void)__sync_fetch_and_add(&(cell)->counter, (amount)))
#define atomic_long_sub(amount, cell) ((void)__sync_fetch_and_sub(&(cell)->counter, (amount)))
#define atomic_long_and(amount, cell) ((void)__sync_fetch_and_and(&(cell)->counter, (amount)))
#define atomic_long_or(amount, cell) ((void)__sync_fetch_and_or(&(cell)->counter, (amount)))
#define atomic_long_xor(amount, cell) ((void)__sync_fetch_and_xor(&(cell)->counter, (amount)))
#define atomic_long_andnot(amount, cell) ((void)__sync_fetch_and_and(&(cell)->counter, ~(amount)))
#define atomic_long_inc(cell) atomic_long_add(1, cell)
#define atomic_long_dec(cell) atomic_long_sub(1, cell)
#define atomic_long_add_return(amount, cell) __sync_add_and_fetch(&(cell)->counter, (amount))
#define atomic_long_sub_return(amount, cell) __sync_sub_and_fetch(&(cell)->counter, (amount))
#define atomic_long_fetch_add(amount, cell) __sync_fetch_and_add(&(cell)->counter, (amount))
#define atomic_long_fetch_sub(amount, cell) __sync_fetch_and_sub(&(cell)->counter, (amount))
#define atomic_long_fetch_and(amount, cell) __sync_fetch_and_and(&(cell)->counter, (amount))
#define atomic_long_fetch_or(amount, cell) __sync_fetch_and_or(&(cell)->counter, (amount))
#define atomic_long_fetch_xor(amount, cell) __sync_fetch_and_xor(&(cell)->counter, (amount))
#define atomic_long_inc_return(cell) atomic_long_add_return(1, cell)
#define atomic_long_fetch_inc(cell) atomic_long_fetch_add(1, cell)
#define atomic_long_dec_return(cell) atomic_long_sub_return(1, cell)
#define atomic_long_fetch_dec(cell) atomic_long_fetch_sub(1, cell)
#define atomic_long_xchg(cell, value) __atomic_exchange_n(&(cell)->counter, (value), 5)
#define atomic_long_cmpxchg(cell, old, new) __sync_val_compare_and_swap(&(cell)->counter, (old), (new))
#define atomic_long_try_cmpxchg(cell, old, new) \
	__atomic_compare_exchange_n(&(cell)->counter, (old), (new), 0, 5, 5)
#define atomic_long_add_return_relaxed(amount, cell) (__duet_weak_order(), __sync_add_and_fetch(&(cell)->counter, (amount)))
#define atomic_long_sub_return_relaxed(amount, cell) (__duet_weak_order(), __sync_sub_and_fetch(&(cell)->counter, (amount)))
#define atomic_long_fetch_add_relaxed(amount, cell) (__duet_weak_order(), __sync_fetch_and_add(&(cell)->counter, (amount)))
#define atomic_long_fetch_sub_relaxed(amount, cell) (__duet_weak_order(), __sync_fetch_and_sub(&(cell)->counter, (amount)))
#define atomic_long_fetch_and_relaxed(amount, cell) (__duet_weak_order(), __sync_fetch_and_and(&(cell)->counter, (amount)))
#define atomic_long_fetch_or_relaxed(amount, cell) (__duet_weak_order(), __sync_fetch_and_or(&(cell)->counter, (amount)))
#define atomic_long_fetch_xor_relaxed(amount, cell) (__duet_weak_order(), __sync_fetch_and_xor(&(cell)->counter, (amount)))
#define atomic_long_inc_return_relaxed(cell) atomic_long_add_return_relaxed(1, cell)
#define atomic_long_fetch_inc_relaxed(cell) atomic_long_fetch_add_relaxed(1, cell)
#define atomic_long_dec_return_relaxed(cell) atomic_long_sub_return_relaxed(1, cell)
#define atomic_long_fetch_dec_relaxed(cell) atomic_long_fetch_sub_relaxed(1, cell)
#define atomic_long_xchg_relaxed(cell, value) (__duet_weak_order(), __atomic_exchange_n(&(cell)->counter, (value), 5))
#define atomic_long_cmpxchg_relaxed(cell, old, new) (__duet_weak_order(), __sync_val_compare_and_swap(&(cell)->counter, (old), (new)))
#define atomic_long_try_cmpxchg_relaxed(cell, old, new) \
	(__duet_weak_order(), __atomic_compare_exchange_n(&(cell)->counter, (old), (new), 0, 5, 5))
#define atomic_long_add_return_acquire(amount, cell) (__duet_weak_order(), __sync_add_and_fetch(&(cell)->counter, (amount)))
#define atomic_long_sub_return_acquire(amount, cell) (__duet_weak_order(), __sync_sub_and_fetch(&(cell)->counter, (amount)))
#define atomic_long_fetch_add_acquire(amount, cell) (__duet_weak_order(), __sync_fetch_and_add(&(cell)->counter, (amount)))
#define atomic_long_fetch_sub_acquire(amount, cell) (__duet_weak_order(), __sync_fetch_and_sub(&(cell)->counter, (amount)))
#define atomic_long_fetch_and_acquire(amount, cell) (__duet_weak_order(), __sync_fetch_and_and(&(cell)->counter, (amount)))
#define atomic_long_fetch_or_acquire(amount, cell) (__duet_weak_order(), __sync_fetch_and_or(&(cell)->counter, (amount)))
#define atomic_long_fetch_xor_acquire(amount, cell) (__duet_weak_order(), __sync_fetch_and_xor(&(cell)->counter, (amount)))
#define atomic_long_inc_return_acquire(cell) atomic_long_add_return_acquire(1, cell)
#define atomic_long_fetch_inc_acquire(cell) atomic_long_fetch_add_acquire(1, cell)
#define atomic_long_dec_return_acquire(cell) atomic_long_sub_return_acquire(1, cell)
#define atomic_long_fetch_dec_acquire(cell) atomic_long_fetch_sub_acquire(1, cell)
#define atomic_long_xchg_acquire(cell, value) (__duet_weak_order(), __atomic_exchange_n(&(cell)->counter, (value), 5))
#define atomic_long_cmpxchg_acquire(cell, old, new) (__duet_weak_order(), __sync_val_compare_and_swap(&(cell)->counter, (old), (new)))
#define atomic_long_try_cmpxchg_acquire(cell, old, new) \
	(__duet_weak_order(), __atomic_compare_exchange_n(&(cell)->counter, (old), (new), 0, 5, 5))
#define atomic_long_add_return_release(amount, cell) (__duet_weak_order(), __sync_add_and_fetch(&(cell)->counter, (amount)))
#define atomic_long_sub_return_release(amount, cell) (__duet_weak_order(), __sync_sub_and_fetch(&(cell)->counter, (amount)))
#define atomic_long_fetch_add_release(amount, cell) (__duet_weak_order(), __sync_fetch_and_add(&(cell)->counter, (amount)))
#define atomic_long_fetch_sub_release(amount, cell) (__duet_weak_order(), __sync_fetch_and_sub(&(cell)->counter, (amount)))
#define atomic_long_fetch_and_release(amount, cell) (__duet_weak_order(), __sync_fetch_and_and(&(cell)->counter, (amount)))
#define atomic_long_fetch_or_release(amount, cell) (__duet_weak_order(), __sync_fetch_and_or(&(cell)->counter, (amount)))
#define atomic_long_fetch_xor_release(amount, cell) (__duet_weak_order(), __sync_fetch_and_xor(&(cell)->counter, (amount)))
#define atomic_long_inc_return_release(cell) atomic_long_add_return_release(1, cell)
#define atomic_long_fetch_inc_release(cell) atomic_long_fetch_add_release(1, cell)
#define atomic_long_dec_return_release(cell) atomic_long_sub_return_release(1, cell)
#define atomic_long_fetch_dec_release(cell) atomic_long_fetch_sub_release(1, cell)
#define atomic_long_xchg_release(cell, value) (__duet_weak_order(), __atomic_exchange_n(&(cell)->counter, (value), 5))
#define atomic_long_cmpxchg_release(cell, old, new) (__duet_weak_order(), __sync_val_compare_and_swap(&(cell)->counter, (old), (new)))
#define atomic_long_try_cmpxchg_release(cell, old, new) \
	(__duet_weak_order(), __atomic_compare_exchange_n(&(cell)->counter, (old), (new), 0, 5, 5))
#define atomic_long_inc_and_test(cell) (atomic_long_inc_return(cell) == 0)
#define atomic_long_dec_and_test(cell) (atomic_long_dec_return(cell) == 0)
#define atomic_long_sub_and_test(amount, cell) (atomic_long_sub_return(amount, cell) == 0)
#define atomic_long_add_negative(amount, cell) (atomic_long_add_return(amount, cell) < 0)
#define atomic_long_add_unless(cell, amount, limit)                                                                        \
	(__duet_atomic_begin(), (cell)->counter == (limit)                                                             \
					? (__duet_atomic_end(), 0)                                                     \
					: (atomic_long_add(amount, cell), __duet_atomic_end(), 1))
#define atomic_long_inc_not_zero(cell) atomic_long_add_unless(cell, 1, 0)
#define atomic_long_inc_unless_negative(cell) atomic_long_unless(cell, 1, (cell)->counter < 0)
#define atomic_long_dec_unless_positive(cell) atomic_long_unless(cell, -1, (cell)->counter > 0)
#define atomic_long_unless(cell, amount, condition)                                                                        \
	(__duet_atomic_begin(), (condition) ? (__duet_atomic_end(), 0) : (atomic_long_add(amount, cell), __duet_atomic_end(), 1))
/* What it was, less one; changed only where it was positive. */
#define atomic_long_dec_if_positive(cell)                              \
	({                                                         \
		__typeof__((cell)->counter) __duet_old;             \
		__duet_atomic_begin();                              \
		__duet_old = (cell)->counter;                       \
		if (__duet_old > 0)                                 \
			(cell)->counter = (__typeof__(__duet_old))((unsigned long)__duet_old - 1UL);           \
		__duet_atomic_end();                                \
		(__typeof__(__duet_old))((unsigned long)__duet_old - 1UL);             \
	})

#define xchg(address, value) __atomic_exchange_n(address, (value), 5)
#define cmpxchg(address, old, new) __sync_val_compare_and_swap(address, (old), (new))
#define try_cmpxchg(address, old, new) __atomic_compare_exchange_n(address, (old), (new), 0, 5, 5)
#define xchg_relaxed(address, value) (__duet_weak_order(), xchg(address, value))
#define cmpxchg_relaxed(address, old, new) (__duet_weak_order(), cmpxchg(address, old, new))
#define cmpxchg_acquire(address, old, new) (__duet_weak_order(), cmpxchg(address, old, new))
#define cmpxchg_release(address, old, new) (__duet_weak_order(), cmpxchg(address, old, new))

#endif
