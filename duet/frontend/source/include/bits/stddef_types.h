/* <bits/stddef_types.h>: types of the language */
#ifndef DUET_BITS_STDDEF_TYPES_H
#define DUET_BITS_STDDEF_TYPES_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;

#endif
