/* <sched.h>: scheduling */
#ifndef DUET_SCHED_H
#define DUET_SCHED_H

#include <sys/types.h>
#include <time.h>

#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define CPU_SETSIZE 1024

struct sched_param {
	int sched_priority;
};
typedef struct {
	unsigned long bits[16];
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
