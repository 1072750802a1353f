/* <sys/times.h>: times of a process */
#ifndef DUET_SYS_TIMES_H
#define DUET_SYS_TIMES_H

#include <features.h>
#include <bits/types.h>

struct tms {
	clock_t tms_utime, tms_stime, tms_cutime, tms_cstime;
};

clock_t times(struct tms *buffer);

#endif
