/* <stdarg.h>: variable arguments; the values read are arbitrary */
#ifndef DUET_STDARG_H
#define DUET_STDARG_H

typedef struct __duet_va_list *__duet_va_pointer;
typedef __duet_va_pointer va_list;
extern void *__duet_va_arg(va_list list);
extern void __duet_va_start(va_list list);
extern void __duet_va_end(va_list list);

#define va_start(list, last) __duet_va_start(list)
#define va_end(list) __duet_va_end(list)
#define va_copy(target, source) ((target) = (source))
#define va_arg(list, type) (*(type *)__duet_va_arg(list))

#endif
