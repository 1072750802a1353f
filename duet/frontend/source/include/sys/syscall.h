/* <sys/syscall.h>: numbers of system calls */
#ifndef DUET_SYS_SYSCALL_H
#define DUET_SYS_SYSCALL_H

#include <bits/syscall.h>

#define __NR_gettid 186
#define __NR_futex 202

#endif
