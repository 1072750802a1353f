/* <bits/waitflags.h>: states of processes (glibc 2.36) */
#ifndef DUET_BITS_WAITFLAGS_H
#define DUET_BITS_WAITFLAGS_H

#define WNOHANG 1
#define WUNTRACED 2
#define WEXITSTATUS(status) (((status) >> 8) & 0xff)
#define WTERMSIG(status) ((status) & 0x7f)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (WTERMSIG(status) != 0 && WTERMSIG(status) != 0x7f)
#define WIFSTOPPED(status) (((status) & 0xff) == 0x7f)
#if defined __USE_XOPEN2K8 || defined __USE_XOPEN_EXTENDED
#define WSTOPPED 2
#define WEXITED 4
#define WCONTINUED 8
#define WNOWAIT 0x01000000
#define WIFCONTINUED WIFCONTINUED
#endif

#endif
