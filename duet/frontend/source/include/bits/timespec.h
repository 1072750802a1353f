/* <bits/timespec.h>: struct timespec */
#ifndef DUET_BITS_TIMESPEC_H
#define DUET_BITS_TIMESPEC_H

#include <bits/types.h>

struct timespec {
	time_t tv_sec;
	long tv_nsec;
};

#endif
