/* <bits/null.h>: the null pointer (glibc 2.36) */
#ifndef DUET_BITS_NULL_H
#define DUET_BITS_NULL_H

#define NULL ((void *)0)

#endif
