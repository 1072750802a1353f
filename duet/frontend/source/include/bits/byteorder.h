/* <bits/byteorder.h>: the order of bytes (glibc 2.36) */
#ifndef DUET_BITS_BYTEORDER_H
#define DUET_BITS_BYTEORDER_H

#if defined __USE_MISC
#define LITTLE_ENDIAN __LITTLE_ENDIAN
#define BIG_ENDIAN __BIG_ENDIAN
#define PDP_ENDIAN __PDP_ENDIAN
#define BYTE_ORDER __BYTE_ORDER
#define htobe16 htobe16
#define htole16 htole16
#define be16toh be16toh
#define le16toh le16toh
#define htobe32 htobe32
#define htole32 htole32
#define be32toh be32toh
#define le32toh le32toh
#define htobe64 htobe64
#define htole64 htole64
#define be64toh be64toh
#define le64toh le64toh
#endif

#endif
