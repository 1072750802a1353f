/* <stdarg.h>: variable arguments; the values read are arbitrary */
#ifndef DUET_STDARG_H
#define DUET_STDARG_H

#include <bits/va_list.h>

#define va_start(list, last) __duet_va_start(list)
#define va_end(list) __duet_va_end(list)
#if __STDC_VERSION__ >= 199901L || !defined __STRICT_ANSI__
#define va_copy(target, source) ((target) = (source))
#endif
#define va_arg(list, type) __builtin_va_arg(list, type)

#endif
