/* <sched.h>: scheduling */
#ifndef DUET_SCHED_H
#define DUET_SCHED_H

#include <features.h>
#include <bits/types.h>
#include <bits/timespec.h>
#include <bits/endian.h>
#include <bits/null.h>
#include <bits/sched.h>
#if !defined __USE_XOPEN2K
#include <bits/time.h>
#endif

struct sched_param {
	int sched_priority;
};
typedef struct {
	unsigned long __bits[128 / sizeof(long)];
} cpu_set_t;

extern void CPU_ZERO(cpu_set_t *set);
extern void CPU_SET(int cpu, cpu_set_t *set);
extern void CPU_CLR(int cpu, cpu_set_t *set);
extern int CPU_ISSET(int cpu, const cpu_set_t *set);
int sched_yield(void);
int sched_getcpu(void);
int sched_get_priority_max(int policy);
int sched_get_priority_min(int policy);
int sched_setscheduler(pid_t process, int policy, const struct sched_param *parameters);
int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set);
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set);

#endif
