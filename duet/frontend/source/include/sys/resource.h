/* <sys/resource.h>: limits and use of resources */
#ifndef DUET_SYS_RESOURCE_H
#define DUET_SYS_RESOURCE_H

#include <sys/time.h>

#define RUSAGE_SELF 0
#define RLIMIT_CPU 0
#define RLIMIT_STACK 3
#define RLIMIT_NOFILE 7
#define RLIMIT_AS 9
#define RLIM_INFINITY 18446744073709551615UL

typedef unsigned long rlim_t;
struct rlimit {
	rlim_t rlim_cur, rlim_max;
};
struct rusage {
	struct timeval ru_utime, ru_stime;
	long ru_maxrss, ru_ixrss, ru_idrss, ru_isrss, ru_minflt, ru_majflt, ru_nswap, ru_inblock;
	long ru_oublock, ru_msgsnd, ru_msgrcv, ru_nsignals, ru_nvcsw, ru_nivcsw;
};

int getrlimit(int resource, struct rlimit *limits);
int setrlimit(int resource, const struct rlimit *limits);
int getrusage(int who, struct rusage *usage);

#endif
