/* <sys/select.h>: waiting for descriptors */
#ifndef DUET_SYS_SELECT_H
#define DUET_SYS_SELECT_H

#include <features.h>
#include <bits/types.h>
#include <bits/timespec.h>
#include <bits/timeval.h>
#include <bits/select.h>
#if defined __USE_XOPEN2K
#include <bits/endian.h>
#endif

typedef struct {
	unsigned long __bits[128 / sizeof(long)];
} fd_set;

extern void FD_ZERO(fd_set *set);
extern void FD_SET(int descriptor, fd_set *set);
extern void FD_CLR(int descriptor, fd_set *set);
extern int FD_ISSET(int descriptor, const fd_set *set);
int select(int count, fd_set *reading, fd_set *writing, fd_set *exceptional, struct timeval *limit);

#endif
