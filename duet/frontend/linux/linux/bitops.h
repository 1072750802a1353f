/* <linux/bitops.h>: atomic operations on bits */
#ifndef DUET_LINUX_BITOPS_H
#define DUET_LINUX_BITOPS_H

#include <linux/bits.h>
#include <linux/types.h>
#include <duet/intrinsics.h>

/*
 * Macros on the flag itself, so that it need not be address-taken. The usual flag has only one bit in use: the first
 * two outcomes are guards on it. The third covers all other values: the bit was clear and is set now, or it was set.
 */
#define test_and_set_bit(number, address)                                                                              \
	(__duet_atomic_begin(),                                                                                        \
	 *(address) == 0                                                                                               \
		 ? (*(address) = 1UL << (number), __duet_atomic_end(), 0)                                              \
		 : *(address) == 1UL << (number)                                                                       \
			   ? (__duet_atomic_end(), 1)                                                                  \
			   : __duet_nondet_bool() ? (*(address) |= 1UL << (number), __duet_atomic_end(), 0)             \
						  : (__duet_atomic_end(), 1))
#define test_and_clear_bit(number, address)                                                                            \
	(__duet_atomic_begin(),                                                                                        \
	 *(address) == 0                                                                                               \
		 ? (__duet_atomic_end(), 0)                                                                            \
		 : *(address) == 1UL << (number)                                                                       \
			   ? (*(address) = 0, __duet_atomic_end(), 1)                                                  \
			   : __duet_nondet_bool() ? (*(address) &= ~(1UL << (number)), __duet_atomic_end(), 1)          \
						  : (__duet_atomic_end(), 0))
#define set_bit(number, address)                                                                                       \
	do {                                                                                                           \
		__duet_weak_order();                                                                                          \
		__duet_atomic_begin();                                                                                 \
		*(address) |= 1UL << (number);                                                                         \
		__duet_atomic_end();                                                                                   \
	} while (0)
#define clear_bit(number, address)                                                                                     \
	do {                                                                                                           \
		__duet_weak_order();                                                                                          \
		__duet_atomic_begin();                                                                                 \
		if (*(address) == 0 || *(address) == 1UL << (number))                                                  \
			*(address) = 0;                                                                                \
		else                                                                                                   \
			*(address) &= ~(1UL << (number));                                                              \
		__duet_atomic_end();                                                                                   \
	} while (0)
#define change_bit(number, address)                                                                                    \
	do {                                                                                                           \
		__duet_weak_order();                                                                                          \
		__duet_atomic_begin();                                                                                 \
		*(address) ^= 1UL << (number);                                                                         \
		__duet_atomic_end();                                                                                   \
	} while (0)
/* The bit was clear or set; which one is only told apart where no other bit is in use. */
#define test_and_change_bit(number, address)                                                                           \
	(__duet_atomic_begin(),                                                                                        \
	 *(address) == 0                                                                                               \
		 ? (*(address) = 1UL << (number), __duet_atomic_end(), 0)                                              \
		 : *(address) == 1UL << (number)                                                                       \
			   ? (*(address) = 0, __duet_atomic_end(), 1)                                                  \
			   : (*(address) ^= 1UL << (number), __duet_atomic_end(), __duet_nondet_bool()))
#define test_and_set_bit_lock(number, address) (__duet_weak_order(), test_and_set_bit(number, address))
#define assign_bit(number, address, value)                                                                             \
	do {                                                                                                           \
		if (value)                                                                                             \
			set_bit(number, address);                                                                      \
		else                                                                                                   \
			clear_bit(number, address);                                                                    \
	} while (0)
#define clear_bit_unlock(number, address) clear_bit(number, address)
#define __set_bit(number, address) ((void)(*(address) |= 1UL << (number)))
#define __clear_bit(number, address) ((void)(*(address) &= ~(1UL << (number))))
#define test_bit(number, address) ((*(address) >> (number) & 1UL) != 0)

#endif
