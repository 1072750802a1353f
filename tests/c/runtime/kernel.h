/* Included in front of every program for the Linux model: sends the intrinsics of the model's headers to the scheduler
   of scheduler.c, so that the headers themselves are executed. */
#ifndef KERNEL_H
#define KERNEL_H
#define DUET_DUET_INTRINSICS_H /* in place of those that the analyzer knows by name */

void sched_check(int holds, int line, int stops);
void sched_assume(int holds);
void sched_atomic_begin(void);
void sched_atomic_end(void);
long long sched_nondet(long long lo, long long hi);
int sched_spin_lock(volatile int *lock);
int sched_spin_trylock(volatile int *lock);
int sched_spin_unlock(volatile int *lock);
int sched_read_lock(void *lock);
int sched_write_lock(void *lock);
int sched_try_read_lock(void *lock);
int sched_try_write_lock(void *lock);
int sched_rw_unlock(void *lock);
int sched_downgrade(void *lock);
int sched_sem_wait(void *semaphore);
int sched_sem_trywait(void *semaphore);
int sched_sem_post(void *semaphore);
int sched_complete(void *completion, int all);
int sched_await(void *completion);
int sched_try_await(void *completion);

#define BUG_ON(e) sched_check(!(e), __LINE__, 1)
#define DUET_LINUX_BUG_H
#define BUG() BUG_ON(1)
#define WARN_ON(e) (!!(e))
#define __duet_nondet_bool() ((_Bool)sched_nondet(0, 1))
#define __duet_nondet_int() ((int)sched_nondet(-2147483648LL, 2147483647LL))
#define __duet_nondet_uint() ((unsigned)sched_nondet(0, 4294967295LL))
#define __duet_nondet_ulong() ((unsigned long)sched_nondet(0, 9223372036854775807LL))
#define __duet_nondet_long() ((long)sched_nondet(-9223372036854775807LL, 9223372036854775807LL))
#define __duet_havoc(cell) ((void)((cell) = sched_nondet(0, 127)))
#define __duet_assume(e) sched_assume(!!(e))
#define __duet_atomic_begin() sched_atomic_begin()
#define __duet_atomic_end() sched_atomic_end()
#define __duet_weak_order() ((void)0)
#define __duet_error() (-(int)sched_nondet(1, 4095))
#define __duet_status() (__duet_nondet_bool() ? 0 : __duet_error())
#define __duet_acquire(l) ((void)sched_spin_lock((volatile int *)(l)))
#define __duet_release(l) ((void)sched_spin_unlock((volatile int *)(l)))
#define __duet_try_acquire(l) (sched_spin_trylock((volatile int *)(l)) == 0)
#define __duet_read_acquire(l) ((void)sched_read_lock(l))
#define __duet_write_acquire(l) ((void)sched_write_lock(l))
#define __duet_read_try(l) sched_try_read_lock(l)
#define __duet_write_try(l) sched_try_write_lock(l)
#define __duet_shared_release(l) ((void)sched_rw_unlock(l))
#define __duet_downgrade(l) ((void)sched_downgrade(l))
#define __duet_down(s) sched_sem_wait(s)
#define __duet_down_try(s) sched_sem_trywait(s)
#define __duet_up(s) sched_sem_post(s)
#define __duet_complete(c) sched_complete((c), 0)
#define __duet_complete_all(c) sched_complete((c), 1)
#define __duet_await(c) sched_await(c)
#define __duet_await_try(c) sched_try_await(c)
#define __duet_interrupts_save(flags) ((void)(flags))
#define __duet_interrupts_restore(flags) ((void)(flags))

#endif
