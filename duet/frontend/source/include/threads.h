/* <threads.h>: threads of C11 */
#ifndef DUET_THREADS_H
#define DUET_THREADS_H

#include <features.h>
#include <time.h>
#include <bits/endian.h>
#include <bits/null.h>
#include <bits/time.h>
#if defined __USE_GNU
#include <bits/timex.h>
#endif

#define thread_local _Thread_local
#define TSS_DTOR_ITERATIONS 4
#define ONCE_FLAG_INIT { 0 }

typedef unsigned long thrd_t;
typedef int (*thrd_start_t)(void *);
typedef union {
	char __size[sizeof(long) == 8 ? 40 : 24];
	long __align;
} mtx_t;
typedef union {
	char __size[48];
	long __align;
} cnd_t;
typedef unsigned int tss_t;
typedef void (*tss_dtor_t)(void *);
typedef int once_flag;

enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument);
int thrd_join(thrd_t thread, int *result);
int thrd_detach(thrd_t thread);
_Noreturn void thrd_exit(int result);
thrd_t thrd_current(void);
int thrd_equal(thrd_t left, thrd_t right);
int thrd_sleep(const struct timespec *duration, struct timespec *left);
void thrd_yield(void);
int mtx_init(mtx_t *mutex, int type);
void mtx_destroy(mtx_t *mutex);
int mtx_lock(mtx_t *mutex);
int mtx_trylock(mtx_t *mutex);
int mtx_timedlock(mtx_t *mutex, const struct timespec *limit);
int mtx_unlock(mtx_t *mutex);
int cnd_init(cnd_t *condition);
void cnd_destroy(cnd_t *condition);
int cnd_wait(cnd_t *condition, mtx_t *mutex);
int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *limit);
int cnd_signal(cnd_t *condition);
int cnd_broadcast(cnd_t *condition);
int tss_create(tss_t *key, tss_dtor_t destructor);
void tss_delete(tss_t key);
void *tss_get(tss_t key);
int tss_set(tss_t key, void *value);
void call_once(once_flag *flag, void (*function)(void));

#endif
