/* <pthread.h>: threads, mutexes, conditions */
#ifndef DUET_PTHREAD_H
#define DUET_PTHREAD_H

#include <features.h>
#include <bits/types.h>
#include <time.h>
#include <sched.h>
#include <bits/endian.h>
#include <bits/null.h>
#include <bits/sched.h>
#include <bits/time.h>
#if defined __USE_MISC
#include <bits/pthread_stack_min.h>
#endif
#if defined __USE_GNU
#include <bits/timex.h>
#endif

enum { PTHREAD_CREATE_JOINABLE = 0, PTHREAD_CREATE_DETACHED = 1, PTHREAD_INHERIT_SCHED = 0,
	PTHREAD_EXPLICIT_SCHED = 1, PTHREAD_SCOPE_SYSTEM = 0, PTHREAD_SCOPE_PROCESS = 1, PTHREAD_PROCESS_PRIVATE = 0,
	PTHREAD_PROCESS_SHARED = 1, PTHREAD_CANCEL_ENABLE = 0, PTHREAD_CANCEL_DISABLE = 1,
	PTHREAD_CANCEL_DEFERRED = 0, PTHREAD_CANCEL_ASYNCHRONOUS = 1
};
#define PTHREAD_CREATE_JOINABLE PTHREAD_CREATE_JOINABLE
#define PTHREAD_CREATE_DETACHED PTHREAD_CREATE_DETACHED
#define PTHREAD_MUTEX_INITIALIZER {0}
#define PTHREAD_INHERIT_SCHED PTHREAD_INHERIT_SCHED
#define PTHREAD_EXPLICIT_SCHED PTHREAD_EXPLICIT_SCHED
#define PTHREAD_SCOPE_SYSTEM PTHREAD_SCOPE_SYSTEM
#define PTHREAD_SCOPE_PROCESS PTHREAD_SCOPE_PROCESS
#define PTHREAD_PROCESS_PRIVATE PTHREAD_PROCESS_PRIVATE
#define PTHREAD_PROCESS_SHARED PTHREAD_PROCESS_SHARED
#define PTHREAD_COND_INITIALIZER {0}
#define PTHREAD_CANCEL_ENABLE PTHREAD_CANCEL_ENABLE
#define PTHREAD_CANCEL_DISABLE PTHREAD_CANCEL_DISABLE
#define PTHREAD_CANCEL_DEFERRED PTHREAD_CANCEL_DEFERRED
#define PTHREAD_CANCEL_ASYNCHRONOUS PTHREAD_CANCEL_ASYNCHRONOUS
#define PTHREAD_CANCELED ((void *) -1)
#define PTHREAD_ONCE_INIT 0
#define pthread_cleanup_push pthread_cleanup_push
#define pthread_cleanup_pop pthread_cleanup_pop
#if defined __USE_XOPEN2K || defined __USE_XOPEN_EXTENDED
#define PTHREAD_RWLOCK_INITIALIZER {0}
#endif
#if defined __USE_XOPEN2K
#define PTHREAD_BARRIER_SERIAL_THREAD -1
#endif
#if defined __USE_GNU
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP {1}
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP {2}
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP {0}
#define PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP {0}
#define PTHREAD_ATTR_NO_SIGMASK_NP (-1)
#define pthread_cleanup_push_defer_np(function, argument) pthread_cleanup_push(function, argument)
#define pthread_cleanup_pop_restore_np(execute) pthread_cleanup_pop(execute)
#endif

/* One cell each. What a lock is initialised with says of what kind it is; a mutex is 0 while it is free. */
typedef union {
	char __size[sizeof(long) == 8 ? 40 : 24];
	long __align;
} pthread_mutex_t;
typedef union {
	char __size[48];
	long __align;
} pthread_cond_t;
typedef union {
	char __size[sizeof(long) == 8 ? 56 : 32];
	long __align;
} pthread_rwlock_t;
typedef union {
	char __size[sizeof(long) == 8 ? 32 : 20];
	long __align;
} pthread_barrier_t;
typedef union {
	char __size[sizeof(long) == 8 ? 56 : 36];
	long __align;
} pthread_attr_t;
typedef union {
	char __size[4];
	int __align;
} pthread_mutexattr_t;
typedef union {
	char __size[4];
	int __align;
} pthread_condattr_t;
typedef union {
	char __size[8];
	long __align;
} pthread_rwlockattr_t;
typedef union {
	char __size[4];
	int __align;
} pthread_barrierattr_t;
typedef volatile int pthread_spinlock_t;
typedef unsigned int pthread_key_t;
typedef int pthread_once_t;


enum {
	PTHREAD_MUTEX_TIMED_NP = 0,
	PTHREAD_MUTEX_RECURSIVE_NP = 1,
	PTHREAD_MUTEX_ERRORCHECK_NP = 2,
	PTHREAD_MUTEX_ADAPTIVE_NP = 3,
	PTHREAD_MUTEX_FAST_NP = 0,
	PTHREAD_MUTEX_NORMAL = 0,
	PTHREAD_MUTEX_RECURSIVE = 1,
	PTHREAD_MUTEX_ERRORCHECK = 2,
	PTHREAD_MUTEX_DEFAULT = 0,
};
enum {
	PTHREAD_MUTEX_STALLED = 0,
	PTHREAD_MUTEX_ROBUST = 1,
	PTHREAD_MUTEX_STALLED_NP = 0,
	PTHREAD_MUTEX_ROBUST_NP = 1,
};
enum {
	PTHREAD_PRIO_NONE = 0,
	PTHREAD_PRIO_INHERIT = 1,
	PTHREAD_PRIO_PROTECT = 2,
};
enum {
	PTHREAD_RWLOCK_PREFER_READER_NP = 0,
	PTHREAD_RWLOCK_PREFER_WRITER_NP = 1,
	PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP = 2,
	PTHREAD_RWLOCK_DEFAULT_NP = 0,
};

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int pthread_join(pthread_t thread, void **result);
int pthread_tryjoin_np(pthread_t thread, void **result);
int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *limit);
int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *limit);
int pthread_detach(pthread_t thread);
_Noreturn void pthread_exit(void *result);
pthread_t pthread_self(void);
int pthread_equal(pthread_t left, pthread_t right);
int pthread_kill(pthread_t thread, int signal);
int pthread_cancel(pthread_t thread);
int pthread_setcancelstate(int state, int *old);
int pthread_setcanceltype(int type, int *old);
void pthread_testcancel(void);
int pthread_sigqueue(pthread_t thread, int signal, const void *value);
int pthread_getcpuclockid(pthread_t thread, clockid_t *clock);
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);
int pthread_setschedprio(pthread_t thread, int priority);
extern void pthread_cleanup_push(void (*function)(void *), void *argument);
extern void pthread_cleanup_pop(int execute);
int pthread_once(pthread_once_t *control, void (*function)(void));
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));
int pthread_yield(void);
int pthread_setname_np(pthread_t thread, const char *name);
int pthread_getname_np(pthread_t thread, char *name, size_t size);
int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set);
int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set);
int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameters);
int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *parameters);
int pthread_setconcurrency(int level);

int pthread_attr_init(pthread_attr_t *attributes);
int pthread_attr_destroy(pthread_attr_t *attributes);
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state);
int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state);
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size);
int pthread_attr_getstacksize(const pthread_attr_t *attributes, size_t *size);
int pthread_attr_getguardsize(const pthread_attr_t *attributes, size_t *size);
int pthread_attr_getscope(const pthread_attr_t *attributes, int *scope);
int pthread_attr_getinheritsched(const pthread_attr_t *attributes, int *inherit);
int pthread_attr_getschedpolicy(const pthread_attr_t *attributes, int *policy);
int pthread_attr_getschedparam(const pthread_attr_t *attributes, struct sched_param *parameters);
int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size, const cpu_set_t *set);
int pthread_attr_setstack(pthread_attr_t *attributes, void *address, size_t size);
int pthread_attr_setstackaddr(pthread_attr_t *attributes, void *address);
int pthread_attr_getstack(const pthread_attr_t *attributes, void **address, size_t *size);
int pthread_attr_getstackaddr(const pthread_attr_t *attributes, void **address);
int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t size);
int pthread_attr_setscope(pthread_attr_t *attributes, int scope);
int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inherit);
int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy);
int pthread_attr_setschedparam(pthread_attr_t *attributes, const struct sched_param *parameters);

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_trylock(pthread_mutex_t *mutex);
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *limit);
int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *limit);
int pthread_mutex_getprioceiling(const pthread_mutex_t *mutex, int *ceiling);
int pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int ceiling, int *old);
int pthread_mutex_consistent_np(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_mutex_consistent(pthread_mutex_t *mutex);
int pthread_mutexattr_init(pthread_mutexattr_t *attributes);
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes);
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type);
int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *type);
int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attributes, int *shared);
int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attributes, int *robust);
int pthread_mutexattr_getrobust_np(const pthread_mutexattr_t *attributes, int *robust);
int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attributes, int *protocol);
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attributes, int *ceiling);
int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attributes, int ceiling);
int pthread_mutexattr_setkind_np(pthread_mutexattr_t *attributes, int type);
int pthread_mutexattr_setrobust_np(pthread_mutexattr_t *attributes, int robust);
int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared);
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol);
int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust);

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int pthread_cond_destroy(pthread_cond_t *condition);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *limit);
int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
			   const struct timespec *limit);
int pthread_cond_signal(pthread_cond_t *condition);
int pthread_cond_broadcast(pthread_cond_t *condition);
int pthread_condattr_init(pthread_condattr_t *attributes);
int pthread_condattr_destroy(pthread_condattr_t *attributes);
int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock);
int pthread_condattr_getclock(const pthread_condattr_t *attributes, clockid_t *clock);
int pthread_condattr_getpshared(const pthread_condattr_t *attributes, int *shared);
int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared);

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes);
int pthread_rwlock_destroy(pthread_rwlock_t *lock);
int pthread_rwlock_rdlock(pthread_rwlock_t *lock);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock);
int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *limit);
int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *limit);
int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *limit);
int pthread_rwlock_wrlock(pthread_rwlock_t *lock);
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock);
int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *limit);
int pthread_rwlock_unlock(pthread_rwlock_t *lock);
int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes);
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind);
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attributes, int *kind);
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared);
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attributes, int *shared);
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes);

int pthread_spin_init(pthread_spinlock_t *lock, int shared);
int pthread_spin_destroy(pthread_spinlock_t *lock);
int pthread_spin_lock(pthread_spinlock_t *lock);
int pthread_spin_trylock(pthread_spinlock_t *lock);
int pthread_spin_unlock(pthread_spinlock_t *lock);

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned int count);
int pthread_barrier_destroy(pthread_barrier_t *barrier);
int pthread_barrierattr_init(pthread_barrierattr_t *attributes);
int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes);
int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared);
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attributes, int *shared);
int pthread_barrier_wait(pthread_barrier_t *barrier);

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
int pthread_key_delete(pthread_key_t key);
void *pthread_getspecific(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void *value);

#endif
