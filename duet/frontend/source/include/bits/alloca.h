/* <bits/alloca.h>: memory of the stack (glibc 2.36) */
#ifndef DUET_BITS_ALLOCA_H
#define DUET_BITS_ALLOCA_H

#define alloca alloca

#endif
