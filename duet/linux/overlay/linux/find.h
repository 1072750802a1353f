/* <linux/find.h> over the kernel's own: searching for bits: any number from where it starts on, or the size */
#ifndef DUET_OVERLAY_FIND_H
#define DUET_OVERLAY_FIND_H

#include_next <linux/find.h>
#include <duet/intrinsics.h>

static inline unsigned long __duet_bit_from(unsigned long from, unsigned long size)
{
	unsigned long bit = __duet_nondet_ulong();

	__duet_assume(bit <= size);
	__duet_assume(bit >= from || bit == size);
	return bit;
}
static inline unsigned long find_first_bit(const unsigned long *map, unsigned long size)
{
	return __duet_bit_from(0, size);
}
static inline unsigned long find_first_zero_bit(const unsigned long *map, unsigned long size)
{
	return __duet_bit_from(0, size);
}
static inline unsigned long find_first_and_bit(const unsigned long *map, const unsigned long *other, unsigned long size)
{
	return __duet_bit_from(0, size);
}
static inline unsigned long find_last_bit(const unsigned long *map, unsigned long size)
{
	return __duet_bit_from(0, size);
}
static inline unsigned long find_next_bit(const unsigned long *map, unsigned long size, unsigned long from)
{
	return __duet_bit_from(from, size);
}
static inline unsigned long find_next_zero_bit(const unsigned long *map, unsigned long size, unsigned long from)
{
	return __duet_bit_from(from, size);
}
static inline unsigned long find_next_and_bit(const unsigned long *map, const unsigned long *other, unsigned long size,
					      unsigned long from)
{
	return __duet_bit_from(from, size);
}

#endif
