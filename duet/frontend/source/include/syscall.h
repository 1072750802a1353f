/* <syscall.h>: numbers of system calls */
#ifndef DUET_SYSCALL_H
#define DUET_SYSCALL_H

#include <sys/syscall.h>
#include <bits/syscall.h>

#endif
