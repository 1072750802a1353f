/* <bits/va_list.h>: lists of variable arguments */
#ifndef DUET_BITS_VA_LIST_H
#define DUET_BITS_VA_LIST_H

typedef struct __duet_va_list *__duet_va_pointer;
typedef __duet_va_pointer va_list;
extern void *__duet_va_arg(va_list list, int is_pointer);
extern void __duet_va_start(va_list list);
extern void __duet_va_end(va_list list);

#endif
