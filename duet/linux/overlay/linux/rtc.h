/* <linux/rtc.h> over the kernel's own: a time of the calendar, whatever the seconds */
#ifndef DUET_OVERLAY_RTC_H
#define DUET_OVERLAY_RTC_H

#include_next <linux/rtc.h>
#include <duet/intrinsics.h>

static inline int __duet_within(int low, int high)
{
	int value = __duet_nondet_int();

	__duet_assume(value >= low);
	__duet_assume(value <= high);
	return value;
}
/* Its calendar is computed with 32 bits without a sign, from days that are cut to as many: each step bounds what follows. */
static inline void rtc_time64_to_tm(time64_t time, struct rtc_time *tm)
{
	tm->tm_sec = __duet_within(0, 59);
	tm->tm_min = __duet_within(0, 59);
	tm->tm_hour = __duet_within(0, 23);
	tm->tm_mday = __duet_within(1, 31);
	tm->tm_mon = __duet_within(0, 11);
	tm->tm_year = __duet_within(-1900, 2937900);
	tm->tm_wday = __duet_within(0, 6);
	tm->tm_yday = __duet_within(1, 366);
	tm->tm_isdst = 0;
}

#endif
