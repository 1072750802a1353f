/* <linux/bits.h>: bit masks */
#ifndef DUET_LINUX_BITS_H
#define DUET_LINUX_BITS_H

#define BITS_PER_LONG 64
#define BIT(number) (1UL << (number))
#define BIT_ULL(number) (1ULL << (number))
#define GENMASK(high, low) ((~0UL << (low)) & (~0UL >> (63 - (high))))

#endif
