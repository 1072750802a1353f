/* <bits/stddef_types.h>: types of the language */
#ifndef DUET_BITS_STDDEF_TYPES_H
#define DUET_BITS_STDDEF_TYPES_H

typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int wchar_t;

#endif
