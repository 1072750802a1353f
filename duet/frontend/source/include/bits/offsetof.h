/* <bits/offsetof.h>: places of members (glibc 2.36) */
#ifndef DUET_BITS_OFFSETOF_H
#define DUET_BITS_OFFSETOF_H

#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
