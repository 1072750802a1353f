/* What threads wait for: mutexes, spinlocks, reader/writer locks, semaphores, conditions, barriers, once.

   Their state is kept here, by address; of the program's own memory only the kind of a mutex that was initialised
   statically is read. */
#define _GNU_SOURCE
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

enum { MAX_LOCKS = 4096, NORMAL = 0, RECURSIVE = 1, ERRORCHECK = 2 };

struct lock {
    const volatile void *address;
    int kind, count; /* how often the owner has it; of a semaphore, its value */
    struct task *owner;
    int readers[MAX_TASKS];
    int reader_count;
    unsigned wakes, needed, arrived, opened;
    int is_destroyed;
};

static struct lock locks[MAX_LOCKS];

static struct lock *known(const volatile void *address, int kind) {
    running->used = (uintptr_t)address;
    for (int i = 0; i < MAX_LOCKS; i++) {
        struct lock *lock = &locks[((uintptr_t)address / 4 + i) % MAX_LOCKS];
        if (lock->address == address) return lock;
        if (!lock->address) {
            lock->address = address, lock->kind = kind;
            return lock;
        }
    }
    end_run();
}

static struct lock *renewed(const volatile void *address, int kind) {
    struct lock *lock = known(address, kind);
    memset(lock, 0, sizeof *lock);
    lock->address = address, lock->kind = kind;
    return lock;
}

static struct lock *mutex_of(const volatile void *address) {
    return known(address, ((const volatile pthread_mutex_t *)address)->__data.__kind & 3);
}

static int destroyed(const volatile void *address, uintptr_t pc) {
    struct lock *lock = known(address, NORMAL);
    point(UPDATE, pc);
    lock->is_destroyed = 1;
    return 0;
}

/* ---- circles of waiting ---- */

static struct task *next_of(struct task *task) {
    if (task->joined) return task->joined;
    if (task->awaited && task->awaited->owner) return task->awaited->owner;
    return NULL;
}

static int waits_for_own_reading(struct task *task) {
    return task->awaited && !task->awaited->owner && task->awaited->readers[task - tasks] > 0;
}

/* Fails at each place where a thread waits in a circle that the running one is in. */
void look_for_circle(void) {
    struct task *members[MAX_TASKS];
    if (!wants(DEADLOCK)) return;
    for (int first = 0; first < task_count; first++) {
        int count = 0;
        struct task *task = &tasks[first];
        if (task->is_finished || !task->is_ready || task->is_ready(task)) continue;
        if (waits_for_own_reading(task)) {
            fail(DEADLOCK, task->waits_at, 0, 0);
            continue;
        }
        do {
            members[count++] = task;
            task = next_of(task);
        } while (task && !task->is_finished && task->is_ready && !task->is_ready(task) && count < MAX_TASKS &&
                 task != &tasks[first]);
        if (task != &tasks[first]) continue;
        for (int i = 0; i < count; i++) fail(DEADLOCK, members[i]->waits_at, 0, 0);
    }
}

/* ---- mutexes ---- */

static int is_free(struct task *task) { return !task->awaited->owner && !task->awaited->reader_count; }

static void take(struct lock *lock) { lock->owner = running, lock->count = 1; }

static int acquire(struct lock *lock, uintptr_t pc) {
    if (lock->is_destroyed) return point(UPDATE, pc), EINVAL;
    if (lock->owner == running && lock->kind == RECURSIVE) return point(UPDATE, pc), lock->count++, 0;
    if (lock->owner == running && lock->kind == ERRORCHECK) return point(UPDATE, pc), EDEADLK;
    running->awaited = lock;
    wait_until(is_free, UPDATE, pc);
    running->awaited = NULL;
    take(lock);
    return 0;
}

static int try_acquire(struct lock *lock, uintptr_t pc) {
    point(UPDATE, pc);
    if (lock->is_destroyed) return EINVAL;
    if (lock->owner == running && lock->kind == RECURSIVE) return lock->count++, 0;
    if (lock->owner || lock->reader_count) return EBUSY;
    return take(lock), 0;
}

static int timed_acquire(struct lock *lock, uintptr_t pc) {
    if (lock->owner == running && lock->kind == ERRORCHECK) return point(UPDATE, pc), EDEADLK;
    int found = chance(4) ? EBUSY : try_acquire(lock, pc);
    return found == EBUSY ? ETIMEDOUT : found;
}

static int release(struct lock *lock, uintptr_t pc) {
    point(UPDATE, pc);
    if (lock->is_destroyed) return EINVAL;
    if (lock->kind != NORMAL && lock->owner != running) return EPERM;
    if (lock->kind == RECURSIVE && --lock->count > 0) return 0;
    lock->owner = NULL;
    return 0;
}

int replay_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    int kind = NORMAL;
    if (attributes) pthread_mutexattr_gettype(attributes, &kind);
    point(UPDATE, HERE);
    return renewed(mutex, kind & 3), memset(mutex, 0, sizeof *mutex), mutex->__data.__kind = kind & 3, 0;
}
int replay_pthread_mutex_destroy(pthread_mutex_t *mutex) {
    return mutex_of(mutex)->owner ? EBUSY : destroyed(mutex, HERE);
}
int replay_pthread_mutex_lock(pthread_mutex_t *mutex) { return acquire(mutex_of(mutex), HERE); }
int replay_pthread_mutex_trylock(pthread_mutex_t *mutex) { return try_acquire(mutex_of(mutex), HERE); }
int replay_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time) {
    return (void)time, timed_acquire(mutex_of(mutex), HERE);
}
int replay_pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time) {
    return (void)time, (void)clock, timed_acquire(mutex_of(mutex), HERE);
}
int replay_pthread_mutex_unlock(pthread_mutex_t *mutex) { return release(mutex_of(mutex), HERE); }

int replay_pthread_spin_init(pthread_spinlock_t *lock, int shared) {
    (void)shared;
    point(UPDATE, HERE);
    return renewed(lock, NORMAL), 0;
}
int replay_pthread_spin_destroy(pthread_spinlock_t *lock) { return destroyed(lock, HERE); }
int replay_pthread_spin_lock(pthread_spinlock_t *lock) { return acquire(known(lock, NORMAL), HERE); }
int replay_pthread_spin_trylock(pthread_spinlock_t *lock) { return try_acquire(known(lock, NORMAL), HERE); }
int replay_pthread_spin_unlock(pthread_spinlock_t *lock) { return release(known(lock, NORMAL), HERE); }

int replay_mtx_init(mtx_t *mutex, int kind) {
    point(UPDATE, HERE);
    memset(mutex, 0, sizeof *mutex);
    ((pthread_mutex_t *)mutex)->__data.__kind = kind & mtx_recursive ? RECURSIVE : NORMAL;
    return renewed(mutex, kind & mtx_recursive ? RECURSIVE : NORMAL), thrd_success;
}
void replay_mtx_destroy(mtx_t *mutex) { destroyed(mutex, HERE); }
int replay_mtx_lock(mtx_t *mutex) { return acquire(mutex_of(mutex), HERE) ? thrd_error : thrd_success; }
int replay_mtx_trylock(mtx_t *mutex) { return try_acquire(mutex_of(mutex), HERE) ? thrd_busy : thrd_success; }
int replay_mtx_timedlock(mtx_t *mutex, const struct timespec *time) {
    return (void)time, timed_acquire(mutex_of(mutex), HERE) ? thrd_timedout : thrd_success;
}
int replay_mtx_unlock(mtx_t *mutex) { return release(mutex_of(mutex), HERE) ? thrd_error : thrd_success; }

/* ---- conditions: a wait may end without a signal, which POSIX allows ---- */

static int is_woken(struct task *task) {
    return task->awaited->wakes != task->seen || is_its_turn(task) || chance(64);
}

static int wait_on(const volatile void *address, struct lock *mutex, int is_timed, uintptr_t pc) {
    struct lock *condition = known(address, NORMAL);
    if (condition->is_destroyed) return point(UPDATE, pc), EINVAL;
    unsigned before = condition->wakes;
    int refused = release(mutex, pc), is_late = is_timed && chance(4);
    if (refused) return refused;
    if (!is_late) {
        running->awaited = condition, running->seen = before;
        wait_until(is_woken, QUIET, pc);
        running->awaited = NULL;
    }
    acquire(mutex, pc);
    return is_late ? ETIMEDOUT : 0;
}

static int wake(const volatile void *address, uintptr_t pc) {
    struct lock *condition = known(address, NORMAL);
    point(UPDATE, pc);
    return condition->wakes++, 0;
}

int replay_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
    (void)attributes;
    point(UPDATE, HERE);
    return renewed(condition, NORMAL), 0;
}
int replay_pthread_cond_destroy(pthread_cond_t *condition) { return destroyed(condition, HERE); }
int replay_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    return wait_on(condition, mutex_of(mutex), 0, HERE);
}
int replay_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
    return (void)time, wait_on(condition, mutex_of(mutex), 1, HERE);
}
int replay_pthread_cond_signal(pthread_cond_t *condition) { return wake(condition, HERE); }
int replay_pthread_cond_broadcast(pthread_cond_t *condition) { return wake(condition, HERE); }
int replay_cnd_init(cnd_t *condition) { return point(UPDATE, HERE), renewed(condition, NORMAL), thrd_success; }
void replay_cnd_destroy(cnd_t *condition) { destroyed(condition, HERE); }
int replay_cnd_wait(cnd_t *condition, mtx_t *mutex) {
    return wait_on(condition, mutex_of(mutex), 0, HERE) ? thrd_error : thrd_success;
}
int replay_cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *time) {
    return (void)time, wait_on(condition, mutex_of(mutex), 1, HERE) ? thrd_timedout : thrd_success;
}
int replay_cnd_signal(cnd_t *condition) { return wake(condition, HERE), thrd_success; }
int replay_cnd_broadcast(cnd_t *condition) { return wake(condition, HERE), thrd_success; }

/* ---- reader/writer locks ---- */

static int has_no_writer(struct task *task) { return !task->awaited->owner; }

static void begin_reading(struct lock *lock) { lock->readers[running - tasks]++, lock->reader_count++; }

int replay_pthread_rwlock_init(pthread_rwlock_t *address, const pthread_rwlockattr_t *attributes) {
    (void)attributes;
    point(UPDATE, HERE);
    return renewed(address, NORMAL), 0;
}
int replay_pthread_rwlock_destroy(pthread_rwlock_t *address) { return destroyed(address, HERE); }
int replay_pthread_rwlock_rdlock(pthread_rwlock_t *address) {
    struct lock *lock = known(address, NORMAL);
    if (lock->is_destroyed) return point(UPDATE, HERE), EINVAL;
    if (lock->owner == running) return point(UPDATE, HERE), EDEADLK;
    running->awaited = lock;
    wait_until(has_no_writer, UPDATE, HERE);
    running->awaited = NULL;
    return begin_reading(lock), 0;
}
int replay_pthread_rwlock_wrlock(pthread_rwlock_t *address) {
    struct lock *lock = known(address, NORMAL);
    if (lock->owner == running) return point(UPDATE, HERE), EDEADLK;
    return acquire(lock, HERE);
}
static int try_read(struct lock *lock, uintptr_t pc) {
    point(UPDATE, pc);
    if (lock->is_destroyed) return EINVAL;
    if (lock->owner) return EBUSY;
    return begin_reading(lock), 0;
}
int replay_pthread_rwlock_tryrdlock(pthread_rwlock_t *address) { return try_read(known(address, NORMAL), HERE); }
int replay_pthread_rwlock_trywrlock(pthread_rwlock_t *address) { return try_acquire(known(address, NORMAL), HERE); }
int replay_pthread_rwlock_timedrdlock(pthread_rwlock_t *address, const struct timespec *time) {
    (void)time;
    if (known(address, NORMAL)->owner == running) return point(UPDATE, HERE), EDEADLK;
    int found = chance(4) ? EBUSY : try_read(known(address, NORMAL), HERE);
    return found == EBUSY ? ETIMEDOUT : found;
}
int replay_pthread_rwlock_timedwrlock(pthread_rwlock_t *address, const struct timespec *time) {
    (void)time;
    if (known(address, NORMAL)->owner == running) return point(UPDATE, HERE), EDEADLK;
    return timed_acquire(known(address, NORMAL), HERE);
}
int replay_pthread_rwlock_unlock(pthread_rwlock_t *address) {
    struct lock *lock = known(address, NORMAL);
    point(UPDATE, HERE);
    if (lock->is_destroyed) return EINVAL;
    if (lock->owner) lock->owner = NULL;
    else if (lock->reader_count > 0) {
        lock->reader_count--;
        if (lock->readers[running - tasks] > 0) lock->readers[running - tasks]--;
    }
    return 0;
}

/* ---- semaphores ---- */

static int is_positive(struct task *task) { return task->awaited->count > 0; }

static int down(struct lock *semaphore, uintptr_t pc) {
    point(UPDATE, pc);
    if (semaphore->is_destroyed) return errno = EINVAL, -1;
    if (semaphore->count <= 0) return errno = EAGAIN, -1;
    return semaphore->count--, 0;
}

int replay_sem_init(sem_t *semaphore, int shared, unsigned value) {
    (void)shared;
    point(UPDATE, HERE);
    return renewed(semaphore, NORMAL)->count = value, 0;
}
int replay_sem_destroy(sem_t *semaphore) { return destroyed(semaphore, HERE); }
int replay_sem_wait(sem_t *semaphore) {
    struct lock *lock = known(semaphore, NORMAL);
    if (lock->is_destroyed) return point(UPDATE, HERE), errno = EINVAL, -1;
    running->awaited = lock;
    wait_until(is_positive, UPDATE, HERE);
    running->awaited = NULL;
    return lock->count--, 0;
}
int replay_sem_trywait(sem_t *semaphore) { return down(known(semaphore, NORMAL), HERE); }
int replay_sem_timedwait(sem_t *semaphore, const struct timespec *time) {
    (void)time;
    return chance(4) || down(known(semaphore, NORMAL), HERE) ? (errno = ETIMEDOUT, -1) : 0;
}
int replay_sem_post(sem_t *semaphore) {
    struct lock *lock = known(semaphore, NORMAL);
    point(UPDATE, HERE);
    if (lock->is_destroyed) return errno = EINVAL, -1;
    return lock->count++, 0;
}
int replay_sem_getvalue(sem_t *semaphore, int *value) {
    point(UPDATE, HERE);
    return *value = known(semaphore, NORMAL)->count, 0;
}

/* Semaphores with names are those of this run only: no other process has them. */
enum { MAX_NAMED = 64 };
static struct {
    char name[NAME_MAX + 1];
    sem_t semaphore;
    int is_linked;
} named[MAX_NAMED];

static int named_at(const char *name) {
    for (int i = 0; i < MAX_NAMED; i++)
        if (named[i].is_linked && !strcmp(named[i].name, name)) return i;
    return -1;
}

sem_t *replay_sem_open(const char *name, int flags, ...) {
    point(UPDATE, HERE);
    int at = named_at(name), fresh = 0;
    if (at >= 0) return flags & O_CREAT && flags & O_EXCL ? (errno = EEXIST, SEM_FAILED) : &named[at].semaphore;
    if (!(flags & O_CREAT)) return errno = ENOENT, SEM_FAILED;
    while (fresh < MAX_NAMED && *named[fresh].name) fresh++;
    if (fresh == MAX_NAMED || strlen(name) > NAME_MAX) end_run();
    va_list rest;
    va_start(rest, flags);
    (void)va_arg(rest, mode_t);
    renewed(&named[fresh].semaphore, NORMAL)->count = va_arg(rest, unsigned);
    va_end(rest);
    strcpy(named[fresh].name, name);
    named[fresh].is_linked = 1;
    return &named[fresh].semaphore;
}
int replay_sem_close(sem_t *semaphore) {
    (void)semaphore;
    return point(UPDATE, HERE), 0;
}
int replay_sem_unlink(const char *name) {
    point(UPDATE, HERE);
    int at = named_at(name);
    if (at < 0) return errno = ENOENT, -1;
    return named[at].is_linked = 0, 0;
}

/* ---- barriers ---- */

static int is_open(struct task *task) { return task->awaited->opened != task->seen; }

int replay_pthread_barrier_init(pthread_barrier_t *address, const pthread_barrierattr_t *attributes, unsigned count) {
    (void)attributes;
    if (count == 0) return EINVAL;
    point(UPDATE, HERE);
    return renewed(address, NORMAL)->needed = count, 0;
}
int replay_pthread_barrier_destroy(pthread_barrier_t *address) { return destroyed(address, HERE); }
int replay_pthread_barrier_wait(pthread_barrier_t *address) {
    struct lock *barrier = known(address, NORMAL);
    point(UPDATE, HERE);
    if (barrier->is_destroyed || barrier->needed == 0) return EINVAL;
    if (++barrier->arrived == barrier->needed) {
        barrier->arrived = 0, barrier->opened++;
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    running->awaited = barrier, running->seen = barrier->opened;
    wait_until(is_open, QUIET, HERE);
    running->awaited = NULL;
    return 0;
}

/* ---- once: 0 not yet, 1 running, 2 done ---- */

static int is_settled(struct task *task) { return task->awaited->count != 1; }

static void once(void *control, void (*function)(void), uintptr_t pc) {
    struct lock *lock = known(control, NORMAL);
    running->awaited = lock;
    wait_until(is_settled, UPDATE, pc);
    running->awaited = NULL;
    if (lock->count == 2) return;
    lock->count = 1;
    running->once = &lock->count;
    function();
    running->once = NULL;
    point(UPDATE, pc);
    lock->count = 2;
}

int replay_pthread_once(pthread_once_t *control, void (*function)(void)) { return once(control, function, HERE), 0; }
void replay_call_once(once_flag *control, void (*function)(void)) { once(control, function, HERE); }
