/* <bits/time.h>: clocks (glibc 2.36) */
#ifndef DUET_BITS_TIME_H
#define DUET_BITS_TIME_H

long sysconf(int name);

#define CLOCKS_PER_SEC ((clock_t) 1000000)
#if defined __USE_POSIX199309
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define CLOCK_REALTIME_ALARM 8
#define CLOCK_BOOTTIME_ALARM 9
#define CLOCK_TAI 11
#define TIMER_ABSTIME 1
#endif
#if defined __USE_ISOC11
#define TIME_UTC 1
#endif
#if defined __USE_POSIX && !defined __USE_XOPEN2K
#define CLK_TCK ((clock_t)sysconf(2))
#endif

#endif
