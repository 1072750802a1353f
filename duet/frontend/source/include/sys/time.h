/* <sys/time.h>: time of day */
#ifndef DUET_SYS_TIME_H
#define DUET_SYS_TIME_H

#include <sys/types.h>
#include <sys/select.h>

struct timezone {
	int tz_minuteswest, tz_dsttime;
};
struct itimerval {
	struct timeval it_interval;
	struct timeval it_value;
};

#define ITIMER_REAL 0

int gettimeofday(struct timeval *result, void *zone);
int settimeofday(const struct timeval *time, const struct timezone *zone);
int setitimer(int which, const struct itimerval *value, struct itimerval *old);
int getitimer(int which, struct itimerval *value);
int utimes(const char *path, const struct timeval times[2]);

#endif
