/* <bits/timeval.h>: struct timeval */
#ifndef DUET_BITS_TIMEVAL_H
#define DUET_BITS_TIMEVAL_H

#include <bits/types.h>

struct timeval {
	time_t tv_sec;
	suseconds_t tv_usec;
};

#endif
