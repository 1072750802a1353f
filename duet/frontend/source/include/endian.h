/* <endian.h>: order of bytes */
#ifndef DUET_ENDIAN_H
#define DUET_ENDIAN_H

#include <features.h>
#include <bits/stdint_types.h>
#include <bits/endian.h>
#if defined __USE_MISC
#include <bits/byteorder.h>
#endif

uint16_t htobe16(uint16_t value);
uint16_t htole16(uint16_t value);
uint16_t be16toh(uint16_t value);
uint16_t le16toh(uint16_t value);
uint32_t htobe32(uint32_t value);
uint32_t htole32(uint32_t value);
uint32_t be32toh(uint32_t value);
uint32_t le32toh(uint32_t value);
uint64_t htobe64(uint64_t value);
uint64_t htole64(uint64_t value);
uint64_t be64toh(uint64_t value);
uint64_t le64toh(uint64_t value);

#endif
