/* <sys/select.h>: waiting for descriptors */
#ifndef DUET_SYS_SELECT_H
#define DUET_SYS_SELECT_H

#include <sys/types.h>
#include <time.h>

struct timeval {
	time_t tv_sec;
	suseconds_t tv_usec;
};
typedef struct {
	unsigned long bits[16];
} fd_set;

#define FD_SETSIZE 1024
extern void FD_ZERO(fd_set *set);
extern void FD_SET(int descriptor, fd_set *set);
extern void FD_CLR(int descriptor, fd_set *set);
extern int FD_ISSET(int descriptor, const fd_set *set);
int select(int count, fd_set *reading, fd_set *writing, fd_set *exceptional, struct timeval *limit);

#endif
