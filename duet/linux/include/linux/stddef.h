/* <linux/stddef.h>: null and offsets */
#ifndef DUET_LINUX_STDDEF_H
#define DUET_LINUX_STDDEF_H

#include <linux/types.h>
#undef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
