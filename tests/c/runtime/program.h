/* Included in front of every program (gcc -include): sends thread, lock, check and input functions to the
   controlled scheduler of scheduler.c. The program's own text stays as it is. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <threads.h>

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

void sched_free(void *block);
void *sched_realloc(void *block, size_t size);
int sched_create(pthread_t *thread, void *(*function)(void *), void *argument);
int sched_join(pthread_t thread, void **result);
int sched_tryjoin(pthread_t thread, void **result);
int sched_detach(pthread_t thread);
void sched_cleanup_push(void (*function)(void *), void *argument);
void sched_cleanup_pop(int execute);
void sched_exit(void *result);
pthread_t sched_self(void);
int sched_create_c11(pthread_t *thread, int (*function)(void *), void *argument);
int sched_join_c11(pthread_t thread, int *result);
int sched_destroy(void *object);
int sched_start(void *object);
int sched_mutex_destroy(void *mutex);
int sched_mutex_init(void *mutex, int kind);
void sched_at(int line);
int sched_lock(void *lock);
int sched_trylock(void *lock);
int sched_timedlock(void *lock);
int sched_unlock(void *lock);
int sched_spin_lock(volatile int *lock);
int sched_spin_trylock(volatile int *lock);
int sched_spin_unlock(volatile int *lock);
int sched_cond_wait(void *condition, void *lock);
int sched_cond_timedwait(void *condition, void *lock);
int sched_cond_wake(void *condition);
int sched_read_lock(void *lock);
int sched_write_lock(void *lock);
int sched_try_read_lock(void *lock);
int sched_try_write_lock(void *lock);
int sched_rw_unlock(void *lock);
int sched_timed_read_lock(void *lock);
int sched_timed_write_lock(void *lock);
int sched_sem_wait(void *semaphore);
int sched_sem_trywait(void *semaphore);
int sched_sem_timedwait(void *semaphore);
int sched_sem_post(void *semaphore);
int sched_barrier_init(void *barrier, unsigned count);
int sched_barrier_wait(void *barrier);
int sched_once(int *control, void (*function)(void));
int sched_key_create(unsigned *key, void (*destructor)(void *));
int sched_setspecific(unsigned key, const void *value);
void *sched_getspecific(unsigned key);

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

#define free(p) sched_free(p)
#define realloc(p, n) sched_realloc((p), (n))

#define pthread_create(t, a, f, x) sched_create((t), (void *(*)(void *))(f), (x))
#define pthread_join(t, r) (sched_at(__LINE__), sched_join)((t), (void **)(r))
#define pthread_exit(r) sched_exit(r)
#define pthread_self() sched_self()
#define pthread_detach(t) sched_detach(t)
#define pthread_tryjoin_np(t, r) sched_tryjoin((t), (void **)(r))
#undef pthread_cleanup_push
#undef pthread_cleanup_pop
#define pthread_cleanup_push(f, x) sched_cleanup_push((f), (x))
#define pthread_cleanup_pop(e) sched_cleanup_pop(e)
#define pthread_mutex_init(m, a) sched_mutex_init((m), (a) ? *(int *)(a) & 3 : 0)
#define pthread_mutex_destroy(m) sched_mutex_destroy(m)
#define pthread_mutex_lock(m) (sched_at(__LINE__), sched_lock(m))
#define pthread_mutex_trylock(m) sched_trylock(m)
#define pthread_mutex_timedlock(m, t) sched_timedlock(m)
#define pthread_mutex_clocklock(m, c, t) sched_timedlock(m)
#define pthread_mutex_unlock(m) sched_unlock(m)
#define pthread_spin_init(l, s) (sched_start((void *)(l)), *(volatile int *)(l) = 0)
#define pthread_spin_destroy(l) sched_destroy((void *)(l))
#define pthread_spin_lock(l) sched_spin_lock(l)
#define pthread_spin_trylock(l) sched_spin_trylock(l)
#define pthread_spin_unlock(l) sched_spin_unlock(l)
#define pthread_cond_init(c, a) (sched_start(c), *(int *)(c) = 0)
#define pthread_cond_destroy(c) sched_destroy(c)
#define pthread_cond_wait(c, m) sched_cond_wait((c), (m))
#define pthread_cond_timedwait(c, m, t) sched_cond_timedwait((c), (m))
#define pthread_cond_signal(c) sched_cond_wake(c)
#define pthread_cond_broadcast(c) sched_cond_wake(c)
#define pthread_rwlock_init(l, a) (sched_start(l), *(int *)(l) = 0)
#define pthread_rwlock_destroy(l) sched_destroy(l)
#define pthread_rwlock_rdlock(l) sched_read_lock(l)
#define pthread_rwlock_wrlock(l) (sched_at(__LINE__), sched_write_lock(l))
#define pthread_rwlock_timedrdlock(l, t) sched_timed_read_lock(l)
#define pthread_rwlock_timedwrlock(l, t) sched_timed_write_lock(l)
#define pthread_rwlock_tryrdlock(l) sched_try_read_lock(l)
#define pthread_rwlock_trywrlock(l) sched_try_write_lock(l)
#define pthread_rwlock_unlock(l) sched_rw_unlock(l)
#define pthread_barrier_init(b, a, n) sched_barrier_init((b), (n))
#define pthread_barrier_destroy(b) sched_destroy(b)
#define pthread_barrier_wait(b) sched_barrier_wait(b)
#define pthread_once(o, f) sched_once((o), (f))
#define pthread_key_create(k, d) sched_key_create((k), (d))
#define pthread_key_delete(k) ((void)(k), 0)
#define pthread_setspecific(k, v) sched_setspecific((k), (v))
#define pthread_getspecific(k) sched_getspecific(k)

#define sem_init(s, p, n) (sched_start(s), *(int *)(s) = (n), 0)
#define sem_destroy(s) sched_destroy(s)
#define sem_wait(s) sched_sem_wait(s)
#define sem_trywait(s) sched_sem_trywait(s)
#define sem_timedwait(s, t) sched_sem_timedwait(s)
#define sem_post(s) sched_sem_post(s)
#define sem_getvalue(s, v) (*(v) = *(int *)(s), 0)

#define thrd_create(t, f, x) sched_create_c11((t), (f), (x))
#define thrd_join(t, r) (sched_at(__LINE__), sched_join_c11)((t), (r))
#define thrd_exit(r) sched_exit((void *)(intptr_t)(r))
#define thrd_current() sched_self()
#define thrd_detach(t) (sched_detach(t), thrd_success)
#define thrd_yield() ((void)sched_yield())
#define mtx_init(m, k) (sched_mutex_init((m), (k) & mtx_recursive), thrd_success)
#define mtx_destroy(m) ((void)sched_mutex_destroy(m))
#define mtx_lock(m) (sched_at(__LINE__), sched_lock(m) == 0 ? thrd_success : thrd_error)
#define mtx_trylock(m) (sched_trylock(m) == 0 ? thrd_success : thrd_busy)
#define mtx_timedlock(m, t) (sched_timedlock(m) == 0 ? thrd_success : thrd_timedout)
#define mtx_unlock(m) sched_unlock(m)
#define cnd_init(c) (sched_start(c), *(int *)(c) = 0, thrd_success)
#define cnd_destroy(c) ((void)sched_destroy(c))
#define cnd_wait(c, m) sched_cond_wait((c), (m))
#define cnd_timedwait(c, m, t) (sched_cond_timedwait((c), (m)) == 0 ? thrd_success : thrd_timedout)
#define cnd_signal(c) sched_cond_wake(c)
#define cnd_broadcast(c) sched_cond_wake(c)
#define call_once(o, f) ((void)sched_once((int *)(o), (f)))
#define tss_create(k, d) sched_key_create((k), (d))
#define tss_delete(k) ((void)(k))
#define tss_set(k, v) sched_setspecific((k), (v))
#define tss_get(k) sched_getspecific(k)

#endif
