/* <linux/bcd.h> over the kernel's own: decimal digits in bytes */
#ifndef DUET_OVERLAY_BCD_H
#define DUET_OVERLAY_BCD_H

#include_next <linux/bcd.h>
#include <duet/intrinsics.h>

static inline unsigned int _bcd2bin(unsigned char value)
{
	return (value & 15u) + (value >> 4) * 10u;
}
static inline unsigned char _bin2bcd(unsigned int value)
{
	return (unsigned char)((value / 10u << 4) + value % 10u);
}

/*
 * Of what the compiler knows to be constant they compute with all bits, else with a byte. Both give the same where that is
 * all there is; else nobody knows what the compiler finds out.
 */
static inline int __duet_bcd2bin(unsigned long value)
{
	return value <= 255ul ? (int)_bcd2bin((unsigned char)value) : __duet_nondet_int();
}
static inline int __duet_bin2bcd(unsigned long value)
{
	return value <= 99ul ? (int)_bin2bcd((unsigned int)value) : __duet_nondet_int();
}
#ifdef const_bcd2bin
#undef bcd2bin
#undef bin2bcd
#define bcd2bin(x) __builtin_choose_expr(__builtin_constant_p(x), const_bcd2bin(x), __duet_bcd2bin(x))
#define bin2bcd(x) __builtin_choose_expr(__builtin_constant_p(x), const_bin2bcd(x), __duet_bin2bcd(x))
#endif

#endif
