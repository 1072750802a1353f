/* <linux/types.h>: integer types */
#ifndef DUET_LINUX_TYPES_H
#define DUET_LINUX_TYPES_H

#include <linux/kconfig.h>

#ifndef NULL
#define NULL ((void *)0)
#endif

typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef s8 __s8;
typedef s16 __s16;
typedef s32 __s32;
typedef s64 __s64;
typedef u8 __u8;
typedef u16 __u16;
typedef u32 __u32;
typedef u64 __u64;
typedef u16 __le16;
typedef u32 __le32;
typedef u64 __le64;
typedef u16 __be16;
typedef u32 __be32;
typedef u64 __be64;
typedef s8 int8_t;
typedef s16 int16_t;
typedef s32 int32_t;
typedef long int64_t;
typedef u8 uint8_t;
typedef u16 uint16_t;
typedef u32 uint32_t;
typedef unsigned long uint64_t;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef _Bool bool;
typedef unsigned long size_t;
typedef long ssize_t;
typedef long ptrdiff_t;
typedef unsigned long uintptr_t;
typedef long long loff_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned int dev_t;
typedef unsigned short umode_t;
typedef unsigned int fmode_t;
typedef unsigned int gfp_t;
typedef unsigned long long phys_addr_t;
typedef unsigned long long resource_size_t;
typedef unsigned long long dma_addr_t;
typedef int irqreturn_t;

#define true 1
#define false 0

#endif
