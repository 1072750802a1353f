/* <byteswap.h>: order of bytes */
#ifndef DUET_BYTESWAP_H
#define DUET_BYTESWAP_H

#include <features.h>
#include <bits/stdint_types.h>

#define bswap_16 bswap_16
#define bswap_32 bswap_32
#define bswap_64 bswap_64

uint16_t bswap_16(uint16_t value);
uint32_t bswap_32(uint32_t value);
uint64_t bswap_64(uint64_t value);

#endif
