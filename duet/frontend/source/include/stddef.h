/* <stddef.h>: common definitions */
#ifndef DUET_STDDEF_H
#define DUET_STDDEF_H

#ifndef NULL
#define NULL ((void *)0)
#endif
#define offsetof(type, member) __builtin_offsetof(type, member)

typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int wchar_t;
typedef struct {
	long long __first;
	long double __second;
} max_align_t;
#if __STDC_VERSION__ > 201710L
typedef __typeof__(nullptr) nullptr_t;
#endif

#endif
