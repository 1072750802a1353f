/* <sys/resource.h>: limits and use of resources */
#ifndef DUET_SYS_RESOURCE_H
#define DUET_SYS_RESOURCE_H

#include <features.h>
#include <bits/timeval.h>

enum { RLIMIT_CPU = 0, RLIMIT_FSIZE = 1, RLIMIT_DATA = 2, RLIMIT_STACK = 3, RLIMIT_CORE = 4, __RLIMIT_RSS = 5,
	RLIMIT_NOFILE = 7, __RLIMIT_OFILE = 7, RLIMIT_AS = 9, __RLIMIT_NPROC = 6, __RLIMIT_MEMLOCK = 8,
	__RLIMIT_LOCKS = 10, __RLIMIT_SIGPENDING = 11, __RLIMIT_MSGQUEUE = 12, __RLIMIT_NICE = 13,
	__RLIMIT_RTPRIO = 14, __RLIMIT_RTTIME = 15, __RLIMIT_NLIMITS = 16, __RLIM_NLIMITS = 16, RUSAGE_SELF = 0,
	RUSAGE_CHILDREN = -1, PRIO_PROCESS = 0, PRIO_PGRP = 1, PRIO_USER = 2
};
#define RLIMIT_CPU RLIMIT_CPU
#define RLIMIT_FSIZE RLIMIT_FSIZE
#define RLIMIT_DATA RLIMIT_DATA
#define RLIMIT_STACK RLIMIT_STACK
#define RLIMIT_CORE RLIMIT_CORE
#define RLIMIT_RSS __RLIMIT_RSS
#define RLIMIT_NOFILE RLIMIT_NOFILE
#define RLIMIT_OFILE __RLIMIT_OFILE
#define RLIMIT_AS RLIMIT_AS
#define RLIMIT_NPROC __RLIMIT_NPROC
#define RLIMIT_MEMLOCK __RLIMIT_MEMLOCK
#define RLIMIT_LOCKS __RLIMIT_LOCKS
#define RLIMIT_SIGPENDING __RLIMIT_SIGPENDING
#define RLIMIT_MSGQUEUE __RLIMIT_MSGQUEUE
#define RLIMIT_NICE __RLIMIT_NICE
#define RLIMIT_RTPRIO __RLIMIT_RTPRIO
#define RLIMIT_RTTIME __RLIMIT_RTTIME
#define RLIMIT_NLIMITS __RLIMIT_NLIMITS
#define RLIM_NLIMITS __RLIM_NLIMITS
#define RLIM_INFINITY ((rlim_t) -1)
#define RLIM_SAVED_MAX RLIM_INFINITY
#define RLIM_SAVED_CUR RLIM_INFINITY
#define RUSAGE_SELF RUSAGE_SELF
#define RUSAGE_CHILDREN RUSAGE_CHILDREN
#define PRIO_MIN -20
#define PRIO_MAX 20
#define PRIO_PROCESS PRIO_PROCESS
#define PRIO_PGRP PRIO_PGRP
#define PRIO_USER PRIO_USER
#if defined __USE_GNU
enum { RUSAGE_THREAD = 1 };
#define RLIM64_INFINITY 0xffffffffffffffffuLL
#define RUSAGE_THREAD RUSAGE_THREAD
#define RUSAGE_LWP RUSAGE_THREAD
#endif

typedef unsigned long rlim_t;
struct rlimit {
	rlim_t rlim_cur, rlim_max;
};
#if defined __USE_LARGEFILE64
typedef unsigned long long rlim64_t;
struct rlimit64 {
	rlim64_t rlim_cur, rlim_max;
};
#endif
struct rusage {
	struct timeval ru_utime, ru_stime;
	long ru_maxrss, ru_ixrss, ru_idrss, ru_isrss, ru_minflt, ru_majflt, ru_nswap, ru_inblock;
	long ru_oublock, ru_msgsnd, ru_msgrcv, ru_nsignals, ru_nvcsw, ru_nivcsw;
};

int getrlimit(int resource, struct rlimit *limits);
int setrlimit(int resource, const struct rlimit *limits);
int getrusage(int who, struct rusage *usage);

#endif
