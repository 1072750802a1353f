/* <time.h>: dates and clocks */
#ifndef DUET_TIME_H
#define DUET_TIME_H

#include <features.h>
#include <bits/timespec.h>
#include <bits/null.h>
#include <bits/time.h>
#if defined __USE_MISC || defined __USE_ISOC11
#include <bits/endian.h>
#endif
#if defined __USE_GNU
#include <bits/timex.h>
#endif

struct itimerspec {
	struct timespec it_interval;
	struct timespec it_value;
};
struct tm {
	int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
	long tm_gmtoff;
	const char *tm_zone;
};

time_t time(time_t *result);
clock_t clock(void);
double difftime(time_t end, time_t start);
time_t mktime(struct tm *date);
time_t timegm(struct tm *date);
struct tm *gmtime(const time_t *time);
struct tm *localtime(const time_t *time);
struct tm *gmtime_r(const time_t *time, struct tm *result);
struct tm *localtime_r(const time_t *time, struct tm *result);
char *asctime(const struct tm *date);
char *ctime(const time_t *time);
char *ctime_r(const time_t *time, char *buffer);
size_t strftime(char *buffer, size_t size, const char *format, const struct tm *date);
int nanosleep(const struct timespec *duration, struct timespec *left);
int clock_gettime(clockid_t clock, struct timespec *result);
int clock_settime(clockid_t clock, const struct timespec *time);
int clock_getres(clockid_t clock, struct timespec *result);
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration, struct timespec *left);
int timespec_get(struct timespec *result, int base);
void tzset(void);
extern char *tzname[2];
extern long timezone;
extern int daylight;
struct sigevent;
typedef void *timer_t;
int timer_create(clockid_t clock, struct sigevent *event, timer_t *result);
int timer_delete(timer_t timer);
int timer_settime(timer_t timer, int flags, const struct itimerspec *value, struct itimerspec *old);
int timer_gettime(timer_t timer, struct itimerspec *value);
int timer_getoverrun(timer_t timer);

#endif
