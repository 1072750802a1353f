/* Included in front of every program (gcc -include): sends thread, lock, check and input functions to the
   controlled scheduler of scheduler.c. The program's own text stays as it is. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

void sched_check(int holds, int line, int stops);
void sched_assume(int holds);
void sched_atomic_begin(void);
void sched_atomic_end(void);
long long sched_nondet(long long lo, long long hi);

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
_Bool __VERIFIER_nondet_bool(void);
long __VERIFIER_nondet_long(void);

int sched_create(pthread_t *thread, void *(*function)(void *), void *argument);
int sched_join(pthread_t thread, void **result);
void sched_exit(void *result);
pthread_t sched_self(void);
int sched_lock(void *lock);
int sched_trylock(void *lock);
int sched_unlock(void *lock);
int sched_cond_wait(void *condition, void *lock);
int sched_cond_wake(void *condition);
int sched_read_lock(void *lock);
int sched_write_lock(void *lock);
int sched_rw_unlock(void *lock);

#define reach_error() sched_check(0, __LINE__, 1)
#define __VERIFIER_error() sched_check(0, __LINE__, 1)
#define __VERIFIER_assert(e) sched_check(!!(e), __LINE__, 1)
#define __goblint_check(e) sched_check(!!(e), __LINE__, 0)
#define BUG_ON(e) sched_check(!(e), __LINE__, 1)
#define assert(e) sched_check(!!(e), __LINE__, 1)
#define assume(e) sched_assume(!!(e))
#define __VERIFIER_assume(e) sched_assume(!!(e))
#define assume_abort_if_not(e) sched_assume(!!(e))
#define __VERIFIER_atomic_begin() sched_atomic_begin()
#define __VERIFIER_atomic_end() sched_atomic_end()
#define rand() ((int)sched_nondet(0, INT32_MAX))

#define pthread_create(t, a, f, x) sched_create((t), (void *(*)(void *))(f), (x))
#define pthread_join(t, r) sched_join((t), (void **)(r))
#define pthread_exit(r) sched_exit(r)
#define pthread_self() sched_self()
#define pthread_detach(t) ((void)(t), 0)
#define pthread_mutex_init(m, a) (*(int *)(m) = 0)
#define pthread_mutex_destroy(m) ((void)(m), 0)
#define pthread_mutex_lock(m) sched_lock(m)
#define pthread_mutex_trylock(m) sched_trylock(m)
#define pthread_mutex_unlock(m) sched_unlock(m)
#define pthread_cond_init(c, a) (*(int *)(c) = 0)
#define pthread_cond_wait(c, m) sched_cond_wait((c), (m))
#define pthread_cond_signal(c) sched_cond_wake(c)
#define pthread_cond_broadcast(c) sched_cond_wake(c)
#define pthread_rwlock_init(l, a) (*(int *)(l) = 0)
#define pthread_rwlock_rdlock(l) sched_read_lock(l)
#define pthread_rwlock_wrlock(l) sched_write_lock(l)
#define pthread_rwlock_unlock(l) sched_rw_unlock(l)

#endif
