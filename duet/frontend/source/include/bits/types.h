/* <bits/types.h>: types of the system interface */
#ifndef DUET_BITS_TYPES_H
#define DUET_BITS_TYPES_H

#include <bits/stddef_types.h>
#include <bits/intn_types.h>

typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
typedef __INT64_TYPE__ loff_t;
typedef __INT64_TYPE__ off64_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int id_t;
typedef unsigned int mode_t;
typedef __UINT64_TYPE__ dev_t;
typedef unsigned long ino_t;
typedef unsigned long nlink_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef long time_t;
typedef long suseconds_t;
typedef unsigned int useconds_t;
typedef long clock_t;
typedef int clockid_t;
typedef void *timer_t;
typedef int key_t;
typedef char *caddr_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned int u_int32_t;
typedef __UINT64_TYPE__ u_int64_t;
typedef __INT64_TYPE__ quad_t;
typedef __UINT64_TYPE__ u_quad_t;
typedef unsigned long pthread_t;

#endif
