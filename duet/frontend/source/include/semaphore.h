/* <semaphore.h>: counting semaphores */
#ifndef DUET_SEMAPHORE_H
#define DUET_SEMAPHORE_H

#include <features.h>
#include <bits/types.h>
#include <bits/timespec.h>
#if defined __USE_XOPEN2K
#include <bits/endian.h>
#endif
#if defined __USE_MISC
#include <sys/types.h>
#endif

#define SEM_FAILED ((sem_t *) 0)

typedef union {
	char __size[sizeof(long) == 8 ? 32 : 16];
	long __align;
} sem_t;

int sem_init(sem_t *semaphore, int shared, unsigned int value);
int sem_destroy(sem_t *semaphore);
sem_t *sem_open(const char *name, int flags, ...);
int sem_close(sem_t *semaphore);
int sem_unlink(const char *name);
int sem_wait(sem_t *semaphore);
int sem_trywait(sem_t *semaphore);
int sem_timedwait(sem_t *semaphore, const struct timespec *limit);
int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *limit);
int sem_post(sem_t *semaphore);
int sem_getvalue(sem_t *semaphore, int *value);

#endif
