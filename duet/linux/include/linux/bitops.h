/* <linux/bitops.h>: atomic operations on bits */
#ifndef DUET_LINUX_BITOPS_H
#define DUET_LINUX_BITOPS_H

#include <linux/bits.h>
#include <linux/types.h>
#include <duet/intrinsics.h>

/* Bits are numbered over a whole array of words. */
#define __duet_find_bit(number, address)                                                            \
	long __duet_number = (number);                                                              \
	unsigned long *__duet_word = (unsigned long *)(address) + (__duet_number >> 6);             \
	unsigned long __duet_bit = 1UL << (__duet_number & 63)
/* Changes a word in one step, by what it was: nothing, the bit alone, others without it, others with it. */
#define __duet_change_bit(number, address, none, alone, others, both)            \
	({                                                                       \
		__duet_find_bit(number, address);                                \
		__duet_atomic_begin();                                           \
		*__duet_word == 0                                                \
			? (none, __duet_atomic_end(), 0)                         \
			: *__duet_word == __duet_bit                             \
				  ? (alone, __duet_atomic_end(), 1)              \
				  : (*__duet_word & __duet_bit) == 0             \
					    ? (others, __duet_atomic_end(), 0)   \
					    : (both, __duet_atomic_end(), 1);    \
	})
#define test_and_set_bit(number, address)                                                                       \
	__duet_change_bit(number, address, *__duet_word = __duet_bit, (void)0, *__duet_word |= __duet_bit, (void)0)
#define test_and_clear_bit(number, address) \
	__duet_change_bit(number, address, (void)0, *__duet_word = 0, (void)0, *__duet_word &= ~__duet_bit)
#define test_and_change_bit(number, address)                                                                      \
	__duet_change_bit(number, address, *__duet_word = __duet_bit, *__duet_word = 0, *__duet_word |= __duet_bit, \
			  *__duet_word &= ~__duet_bit)
#define test_and_set_bit_lock(number, address) (__duet_weak_order(), test_and_set_bit(number, address))
#define set_bit(number, address)                  \
	do {                                      \
		__duet_find_bit(number, address); \
		__duet_weak_order();              \
		__duet_atomic_begin();            \
		*__duet_word |= __duet_bit;       \
		__duet_atomic_end();              \
	} while (0)
#define clear_bit(number, address)                                      \
	do {                                                            \
		__duet_find_bit(number, address);                       \
		__duet_weak_order();                                    \
		__duet_atomic_begin();                                  \
		if (*__duet_word == 0 || *__duet_word == __duet_bit)    \
			*__duet_word = 0;                               \
		else                                                    \
			*__duet_word &= ~__duet_bit;                    \
		__duet_atomic_end();                                    \
	} while (0)
#define change_bit(number, address)               \
	do {                                      \
		__duet_find_bit(number, address); \
		__duet_weak_order();              \
		__duet_atomic_begin();            \
		*__duet_word ^= __duet_bit;       \
		__duet_atomic_end();              \
	} while (0)
#define assign_bit(number, address, value)          \
	do {                                        \
		if (value)                          \
			set_bit(number, address);   \
		else                                \
			clear_bit(number, address); \
	} while (0)
#define clear_bit_unlock(number, address) clear_bit(number, address)
#define __duet_plain_bit(number, address, change) ({ __duet_find_bit(number, address); change; })
#define __set_bit(number, address) __duet_plain_bit(number, address, (void)(*__duet_word |= __duet_bit))
#define __clear_bit(number, address) __duet_plain_bit(number, address, (void)(*__duet_word &= ~__duet_bit))
#define __change_bit(number, address) __duet_plain_bit(number, address, (void)(*__duet_word ^= __duet_bit))
#define __assign_bit(number, address, value)          \
	do {                                          \
		if (value)                            \
			__set_bit(number, address);   \
		else                                  \
			__clear_bit(number, address); \
	} while (0)
#define test_bit(number, address) __duet_plain_bit(number, address, (*__duet_word & __duet_bit) != 0)

#endif
