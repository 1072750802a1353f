/* <linux/bcd.h> over the kernel's own: decimal digits in bytes */
#ifndef DUET_OVERLAY_BCD_H
#define DUET_OVERLAY_BCD_H

#include_next <linux/bcd.h>

static inline unsigned int _bcd2bin(unsigned char value)
{
	return (value & 15u) + (value >> 4) * 10u;
}
static inline unsigned char _bin2bcd(unsigned int value)
{
	return (unsigned char)((value / 10u << 4) + value % 10u);
}

#endif
