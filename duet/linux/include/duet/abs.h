/* <duet/abs.h>: absolute values */
#ifndef DUET_DUET_ABS_H
#define DUET_DUET_ABS_H

/* The type is the signed one of the argument. The smallest number stays what it is. */
#define __duet_signed(value)                                                                      \
	__typeof__(_Generic((value), unsigned char: (signed char)0, unsigned short: (short)0,     \
		unsigned int: 0, unsigned long: 0L, unsigned long long: 0LL, default: (value)))
#define abs(value)                                                                                \
	({                                                                                        \
		__duet_signed(value) __duet_a = (value);                                          \
		__duet_a < 0 ? (__duet_signed(value))(0ULL - (unsigned long long)__duet_a) : __duet_a; \
	})

#endif
