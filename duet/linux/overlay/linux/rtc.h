/* <linux/rtc.h> over the kernel's own: what a time of the calendar can be */
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
/* Days are computed with 32 bits: before 1970, or some three million years later, versions of the kernel give what they like. */
static inline void rtc_time64_to_tm(time64_t time, struct rtc_time *tm)
{
	if (time >= 0 && time < 86400LL << 30) {
		tm->tm_sec = __duet_within(0, 59);
		tm->tm_min = __duet_within(0, 59);
		tm->tm_hour = __duet_within(0, 23);
		tm->tm_mday = __duet_within(1, 31);
		tm->tm_mon = __duet_within(0, 11);
		tm->tm_year = __duet_within(70, 3000000);
		tm->tm_wday = __duet_within(0, 6);
		tm->tm_yday = __duet_within(1, 366);
	} else {
		tm->tm_sec = __duet_nondet_int();
		tm->tm_min = __duet_nondet_int();
		tm->tm_hour = __duet_nondet_int();
		tm->tm_mday = __duet_nondet_int();
		tm->tm_mon = __duet_nondet_int();
		tm->tm_year = __duet_nondet_int();
		tm->tm_wday = __duet_nondet_int();
		tm->tm_yday = __duet_nondet_int();
	}
	tm->tm_isdst = 0;
}

#endif
