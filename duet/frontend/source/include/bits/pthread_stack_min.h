/* <bits/pthread_stack_min.h>: the least stack of a thread (glibc 2.36) */
#ifndef DUET_BITS_PTHREAD_STACK_MIN_H
#define DUET_BITS_PTHREAD_STACK_MIN_H

long sysconf(int name);

#if defined __USE_POSIX
#define PTHREAD_STACK_MIN sysconf(75)
#endif

#endif
