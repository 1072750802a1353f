/* <bits/endian.h>: the order of bytes, as the system names it (glibc 2.36) */
#ifndef DUET_BITS_ENDIAN_H
#define DUET_BITS_ENDIAN_H

#define __LITTLE_ENDIAN 1234
#define __BIG_ENDIAN 4321
#define __PDP_ENDIAN 3412
#define __BYTE_ORDER __LITTLE_ENDIAN
#define __FLOAT_WORD_ORDER __BYTE_ORDER

#endif
