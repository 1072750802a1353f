/* <stddef.h>: common definitions */
#ifndef DUET_STDDEF_H
#define DUET_STDDEF_H

#include <bits/null.h>
#include <bits/offsetof.h>
#include <bits/stddef_types.h>

typedef struct {
	long long __first;
	long double __second;
#if !defined __LP64__
	char __third[28];
#endif
} max_align_t;
#if __STDC_VERSION__ > 201710L
typedef __typeof__(nullptr) nullptr_t;
#endif

#endif
