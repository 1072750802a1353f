/* Runs a program many times under random sequentially consistent schedules and counts, per line, how often its
   checks were reached and failed.

   One thread runs at a time. The compiler's thread instrumentation calls a function in front of each shared access;
   these functions, and every lock and thread operation, are the points where a seeded generator may hand
   control to another thread. A run ends when the program does, when a check that stops it fails, or after a
   number of steps (deadlock, endless loop). Each run is a child process; results are in a shared mapping.

   Usage: program FIRST_SEED RUNS COPIES LINE...
   COPIES > 1: every created thread is started up to that many times (parameterized programs).
   Stops early when every LINE has failed. Prints "LINE REACHED FAILED", one line each, then "race WHERE WHERE" for
   each pair of instructions (addresses in the executable) that were about to access one object at a time, one of
   them to write it and not both atomically, "late WHERE" for each instruction that used memory which was given back,
   then "runs N crashed M".
   With DEADLOCKS in the environment, waiting for mutexes in a circle counts as a failure at each line that waits. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_LINES = 400, MAX_TASKS = 80, MAX_KEYS = 16, MAX_CLEANUPS = 16, MAX_STEPS = 6000, MAX_RACES = 64, MAX_BLOCKS = 64, FEWEST_RUNS = 150 };

struct counts {
    unsigned reached[MAX_LINES];
    unsigned failed[MAX_LINES];
    int race_count;
    uintptr_t races[MAX_RACES][2];
    int late_count;
    uintptr_t late[MAX_RACES]; /* uses of memory that was given back */
};

static struct block {
    uintptr_t start;
    size_t size;
} released[MAX_BLOCKS];
static int released_count;

/* What a task is about to do to memory; nothing if size is 0. */
struct access {
    uintptr_t address, where;
    unsigned size;
    int writes, is_atomic;
};

struct task {
    sem_t turn;
    int finished;
    void *result;
    void *(*function)(void *);
    void *argument;
    int is_c11;
    int line; /* of its last lock operation */
    pthread_mutex_t *awaited;
    int joined; /* the task whose end is awaited, plus one */
    struct access next;
    void *specific[MAX_KEYS];
    int detached;
    int *once; /* what the task is initialising */
    void *reading; /* the last lock that it has taken to read and not given back */
    int cleanups;
    void (*cleanup[MAX_CLEANUPS])(void *);
    void *cleanup_argument[MAX_CLEANUPS];
};

extern int program_main();
long long sched_nondet(long long lo, long long hi);

static struct counts *counts;
static struct task tasks[MAX_TASKS];
static int task_count = 1;
static int running; /* index of the task that has control */
static int atomic_depth;
static int steps;
static int copies;
static int sees_deadlocks;
static unsigned switch_mask;
static uint64_t random_state;

static uint64_t random_next(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x2545F4914F6CDD1DULL >> 16;
}

static void hand_over(int leaving) {
    int candidates[MAX_TASKS], count = 0, self = running;
    for (int i = 0; i < task_count; i++)
        if (!tasks[i].finished && i != self) candidates[count++] = i;
    if (count == 0) {
        if (leaving) _exit(0);
        return;
    }
    running = candidates[random_next() % count];
    sem_post(&tasks[running].turn);
    if (!leaving)
        while (sem_wait(&tasks[self].turn) != 0) continue;
}

static void step(void) {
    if (++steps > MAX_STEPS) _exit(0);
}

static void point(void) {
    step();
    if (atomic_depth == 0 && (random_next() & switch_mask) == 0) hand_over(0);
}

/* The running task cannot go on now. */
static void wait_for_others(void) {
    step();
    if (atomic_depth > 0) _exit(0);
    hand_over(0);
}

/* ---- races ---- */

static void note_race(uintptr_t one, uintptr_t other) {
    uintptr_t first = one < other ? one : other, second = one < other ? other : one;
    for (int i = 0; i < counts->race_count; i++)
        if (counts->races[i][0] == first && counts->races[i][1] == second) return;
    if (counts->race_count == MAX_RACES) return;
    counts->races[counts->race_count][0] = first;
    counts->races[counts->race_count++][1] = second;
}

/* ---- memory that was given back ---- */

static uintptr_t in_program(void *where) {
    extern char __executable_start;
    return (uintptr_t)where - 1 - (uintptr_t)&__executable_start;
}

/* The running task accesses memory: the run ends if that was given back. */
static void use(volatile const void *address, void *where) {
    uintptr_t place = in_program(where), used = (uintptr_t)address;
    for (int i = 0; i < released_count; i++) {
        if (used < released[i].start || used >= released[i].start + released[i].size) continue;
        for (int j = 0; j < counts->late_count; j++)
            if (counts->late[j] == place) _exit(0);
        if (counts->late_count < MAX_RACES) counts->late[counts->late_count++] = place;
        _exit(0);
    }
}

static void give_back(void *block) {
    if (released_count == MAX_BLOCKS) _exit(0);
    released[released_count++] = (struct block){(uintptr_t)block, malloc_usable_size(block)};
}

/* The running task is about to access memory. */
static void arrive(volatile const void *address, unsigned size, int writes, int is_atomic, void *where) {
    struct access mine = {(uintptr_t)address, in_program(where), size, writes, is_atomic || atomic_depth > 0};
    for (int i = 0; i < task_count; i++) {
        struct access *theirs = &tasks[i].next;
        if (i == running || theirs->size == 0 || !(mine.writes || theirs->writes)) continue;
        if (mine.is_atomic && theirs->is_atomic) continue;
        if (mine.address < theirs->address + theirs->size && theirs->address < mine.address + size)
            note_race(mine.where, theirs->where);
    }
    tasks[running].next = mine;
    point();
    tasks[running].next.size = 0;
    use(address, where);
}

/* ---- checks, assumptions, input ---- */

static void record(int line, int failed) {
    if (line <= 0 || line >= MAX_LINES) return;
    counts->reached[line]++;
    counts->failed[line] += failed;
}

void sched_check(int holds, int line, int stops) {
    point(); /* others may fail first */
    record(line, !holds);
    if (!holds && stops) _exit(0);
}

void sched_assume(int holds) {
    if (!holds) _exit(0);
}

void sched_atomic_begin(void) {
    point();
    atomic_depth++;
}

void sched_atomic_end(void) { atomic_depth--; }

long long sched_nondet(long long lo, long long hi) {
    uint64_t kind = random_next() % 8, value = random_next();
    if (kind == 0) return lo;
    if (kind == 1) return hi;
    if (kind == 2) value = (uint64_t)1 << value % 40;
    else if (kind == 3) value = value << 32 ^ random_next();
    else value %= 1 << (2 * kind - 6); /* below 4, 16, 64, 256 */
    if (lo < 0 && random_next() % 4 == 0) value = -value;
    if (lo == INT64_MIN) return (long long)value;
    long long result = (long long)value;
    uint64_t width = (uint64_t)(hi - lo) + 1;
    return result < lo || result > hi ? lo + (long long)(value % width) : result;
}

#define INPUT(type, name, lo, hi) \
    type __VERIFIER_nondet_##name(void) { return (type)sched_nondet(lo, hi); }
INPUT(int, int, INT32_MIN, INT32_MAX)
INPUT(unsigned, uint, 0, UINT32_MAX)
INPUT(short, short, INT16_MIN, INT16_MAX)
INPUT(unsigned short, ushort, 0, UINT16_MAX)
INPUT(char, char, INT8_MIN, INT8_MAX)
INPUT(unsigned char, uchar, 0, UINT8_MAX)
INPUT(_Bool, bool, 0, 1)
INPUT(long, long, INT64_MIN, INT64_MAX)

/* ---- threads ---- */

static void (*destructors[MAX_KEYS])(void *);

static void finish(void *result) {
    tasks[running].result = result;
    for (int key = 0; key < MAX_KEYS; key++) {
        void *kept = tasks[running].specific[key];
        tasks[running].specific[key] = NULL;
        if (kept && destructors[key]) destructors[key](kept);
    }
    tasks[running].finished = 1;
    hand_over(1);
}

static void *run_task(void *argument) {
    struct task *task = argument;
    while (sem_wait(&task->turn) != 0) continue;
    if (task->is_c11) finish((void *)(intptr_t)((int (*)(void *))task->function)(task->argument));
    else finish(task->function(task->argument));
    return NULL;
}

static void start(void *(*function)(void *), void *argument) {
    pthread_t thread;
    if (task_count == MAX_TASKS) _exit(0);
    struct task *task = &tasks[task_count];
    sem_init(&task->turn, 0, 0);
    task->function = function;
    task->argument = argument;
    if (pthread_create(&thread, NULL, run_task, task) != 0) _exit(0);
    pthread_detach(thread);
    task_count++;
}

int sched_create(pthread_t *thread, void *(*function)(void *), void *argument) {
    point();
    *thread = task_count;
    start(function, argument);
    if (copies > 1)
        for (uint64_t more = random_next() % copies; more > 0; more--) start(function, argument);
    point();
    return 0;
}

static void look_for_circle(void);

int sched_join(pthread_t thread, void **result) {
    point();
    if ((int)thread == running) return EDEADLK;
    if (tasks[thread].detached) return EINVAL;
    while (!tasks[thread].finished) {
        tasks[running].joined = thread + 1;
        if (sees_deadlocks) look_for_circle();
        wait_for_others();
    }
    tasks[running].joined = 0;
    if (result) *result = tasks[thread].result;
    return 0;
}

int sched_tryjoin(pthread_t thread, void **result) {
    point();
    return tasks[thread].finished ? sched_join(thread, result) : EBUSY;
}

int sched_detach(pthread_t thread) {
    point();
    tasks[thread].detached = 1;
    return 0;
}

void sched_cleanup_push(void (*function)(void *), void *argument) {
    struct task *task = &tasks[running];
    if (task->cleanups == MAX_CLEANUPS) _exit(0);
    task->cleanup[task->cleanups] = function;
    task->cleanup_argument[task->cleanups++] = argument;
}

void sched_cleanup_pop(int execute) {
    struct task *task = &tasks[running];
    int last = --task->cleanups;
    if (execute) task->cleanup[last](task->cleanup_argument[last]);
}

void sched_exit(void *result) {
    while (tasks[running].cleanups > 0) sched_cleanup_pop(1);
    if (tasks[running].once) *tasks[running].once = 0; /* as if it had not been called */
    finish(result);
    pthread_exit(NULL);
}

pthread_t sched_self(void) { return running; }

int sched_create_c11(pthread_t *thread, int (*function)(void *), void *argument) {
    point();
    *thread = task_count;
    for (uint64_t more = copies > 1 ? random_next() % copies : 0;; more--) {
        start((void *(*)(void *))function, argument);
        tasks[task_count - 1].is_c11 = 1;
        if (more == 0) break;
    }
    point();
    return 0;
}

int sched_join_c11(pthread_t thread, int *result) {
    void *found;
    sched_join(thread, &found);
    if (result) *result = (int)(intptr_t)found;
    return 0;
}

/* ---- locks that are destroyed: every later operation is refused, as by the mutexes of glibc ---- */

enum { MAX_DESTROYED = 256 };
static void *destroyed[MAX_DESTROYED];

static int is_destroyed(const volatile void *object) {
    for (int i = 0; i < MAX_DESTROYED; i++)
        if (destroyed[i] == object) return 1;
    return 0;
}

int sched_start(void *object) {
    for (int i = 0; i < MAX_DESTROYED; i++)
        if (destroyed[i] == object) destroyed[i] = NULL;
    return 0;
}

int sched_destroy(void *object) {
    point();
    sched_start(object);
    for (int i = 0; i < MAX_DESTROYED; i++)
        if (destroyed[i] == NULL) return destroyed[i] = object, 0;
    abort();
}

/* ---- mutexes: of glibc's layout, with their kinds ---- */

enum { NORMAL, RECURSIVE, ERRORCHECK };

static int is_free(pthread_mutex_t *mutex) {
    return mutex->__data.__lock == 0;
}

static int is_mine(pthread_mutex_t *mutex) {
    return !is_free(mutex) && mutex->__data.__owner == running + 1;
}

static int kind_of(pthread_mutex_t *mutex) { return mutex->__data.__kind & 3; }

static void take(pthread_mutex_t *mutex) {
    mutex->__data.__lock = 1;
    mutex->__data.__count = 1;
    mutex->__data.__owner = running + 1;
}

int sched_mutex_destroy(void *mutex) {
    return is_free(mutex) ? sched_destroy(mutex) : EBUSY;
}

int sched_mutex_init(void *mutex, int kind) {
    sched_start(mutex);
    memset(mutex, 0, sizeof(int) * 6);
    ((pthread_mutex_t *)mutex)->__data.__kind = kind;
    return 0;
}

void sched_at(int line) { tasks[running].line = line; }

/* Ends the run if the running task waits for the holder of a mutex or for a task that waits for ... the running task,
   or for a mutex that a task had when it ended. */
static void look_for_circle(void) {
    int members[MAX_TASKS], count = 0, task = running;
    pthread_mutex_t *wanted = tasks[task].awaited;
    if (!tasks[task].joined && !is_free(wanted) && tasks[wanted->__data.__owner - 1].finished) {
        record(tasks[task].line, 1);
        _exit(0);
    }
    do {
        pthread_mutex_t *mutex = tasks[task].awaited;
        int next = tasks[task].joined ? tasks[task].joined : mutex ? mutex->__data.__owner : 0;
        if (!next || (!tasks[task].joined && is_free(mutex)) || count == MAX_TASKS) return;
        members[count++] = task;
        task = next - 1;
    } while (task != running);
    for (int i = 0; i < count; i++) record(tasks[members[i]].line, 1);
    _exit(0);
}

int sched_lock(void *lock) {
    pthread_mutex_t *mutex = lock;
    point();
    use(lock, __builtin_return_address(0));
    if (is_destroyed(lock)) return EINVAL;
    if (is_mine(mutex) && kind_of(mutex) == RECURSIVE) return mutex->__data.__count++, 0;
    if (is_mine(mutex) && kind_of(mutex) == ERRORCHECK) return EDEADLK;
    while (!is_free(mutex)) {
        tasks[running].awaited = mutex;
        if (sees_deadlocks) look_for_circle();
        wait_for_others();
    }
    tasks[running].awaited = NULL;
    take(mutex);
    return 0;
}

int sched_trylock(void *lock) {
    pthread_mutex_t *mutex = lock;
    point();
    if (is_destroyed(lock)) return EINVAL;
    if (is_mine(mutex) && kind_of(mutex) == RECURSIVE) return mutex->__data.__count++, 0;
    if (!is_free(mutex)) return EBUSY;
    take(mutex);
    return 0;
}

/* Waits for a free mutex, but not for ever. */
int sched_timedlock(void *lock) {
    pthread_mutex_t *mutex = lock;
    while (1) {
        int found = sched_trylock(mutex);
        if (found == 0 || found == EINVAL) return found;
        if (kind_of(mutex) == ERRORCHECK && is_mine(mutex)) return EDEADLK;
        if (random_next() % 4 == 0) return ETIMEDOUT;
        wait_for_others();
    }
}

int sched_unlock(void *lock) {
    pthread_mutex_t *mutex = lock;
    point();
    use(lock, __builtin_return_address(0));
    if (is_destroyed(lock)) return EINVAL;
    if (kind_of(mutex) != NORMAL && !is_mine(mutex)) return EPERM;
    if (kind_of(mutex) == RECURSIVE && --mutex->__data.__count > 0) return 0;
    mutex->__data.__lock = 0;
    return 0;
}

/* ---- spinlocks: one word, 0 is free ---- */

int sched_spin_lock(volatile int *lock) {
    point();
    if (is_destroyed(lock)) return EINVAL;
    while (*lock != 0) wait_for_others();
    *lock = 1;
    return 0;
}

int sched_spin_trylock(volatile int *lock) {
    point();
    if (is_destroyed(lock)) return EINVAL;
    if (*lock != 0) return EBUSY;
    *lock = 1;
    return 0;
}

int sched_spin_unlock(volatile int *lock) {
    point();
    if (is_destroyed(lock)) return EINVAL;
    *lock = 0;
    return 0;
}

/* ---- conditions: the first word counts wake-ups; one in 64 waits ends without any, as POSIX allows ---- */

static int wait_on(void *condition, void *lock, int others_before_end) {
    if (is_destroyed(condition)) return EINVAL;
    int before = *(int *)condition, late = 0, refused = sched_unlock(lock);
    if (refused) return refused;
    while (*(int *)condition == before && !late) {
        if (random_next() % 64 == 0) break;
        late = others_before_end && random_next() % others_before_end == 0;
        wait_for_others();
    }
    late = late && *(int *)condition == before;
    sched_lock(lock);
    return late ? ETIMEDOUT : 0;
}

int sched_cond_wait(void *condition, void *lock) { return wait_on(condition, lock, 0); }
int sched_cond_timedwait(void *condition, void *lock) { return wait_on(condition, lock, 8); }

int sched_cond_wake(void *condition) {
    point();
    ++*(int *)condition;
    return 0;
}

/* ---- reader/writer locks: the first word; -1 - i is task i as the writer, n > 0 is n readers ---- */

static int is_my_writing(void *lock) { return *(int *)lock == -1 - running; }

static int begin_writing(void *lock) {
    *(int *)lock = -1 - running;
    return 0;
}

int sched_read_lock(void *lock) {
    point();
    if (is_destroyed(lock)) return EINVAL;
    if (is_my_writing(lock)) return EDEADLK;
    while (*(int *)lock < 0) wait_for_others();
    ++*(int *)lock;
    tasks[running].reading = lock;
    return 0;
}

int sched_write_lock(void *lock) {
    point();
    if (is_destroyed(lock)) return EINVAL;
    if (is_my_writing(lock)) return EDEADLK;
    while (*(int *)lock != 0) {
        if (sees_deadlocks && tasks[running].reading == lock) {
            record(tasks[running].line, 1);
            _exit(0);
        }
        wait_for_others();
    }
    return begin_writing(lock);
}

int sched_try_read_lock(void *lock) {
    point();
    if (is_destroyed(lock)) return EINVAL;
    if (*(int *)lock < 0) return EBUSY;
    ++*(int *)lock;
    return 0;
}

int sched_try_write_lock(void *lock) {
    point();
    if (is_destroyed(lock)) return EINVAL;
    if (*(int *)lock != 0) return EBUSY;
    return begin_writing(lock);
}

/* Waits, but not for ever, for what `attempt` tries. */
static int timed(void *lock, int (*attempt)(void *)) {
    while (attempt(lock) != 0) {
        if (is_destroyed(lock)) return EINVAL;
        if (is_my_writing(lock)) return EDEADLK;
        if (random_next() % 4 == 0) return ETIMEDOUT;
        wait_for_others();
    }
    return 0;
}

int sched_timed_read_lock(void *lock) { return timed(lock, sched_try_read_lock); }
int sched_timed_write_lock(void *lock) { return timed(lock, sched_try_write_lock); }

int sched_rw_unlock(void *lock) {
    point();
    if (is_destroyed(lock)) return EINVAL;
    if (*(int *)lock < 0) *(int *)lock = 0;
    else --*(int *)lock;
    if (tasks[running].reading == lock) tasks[running].reading = NULL;
    return 0;
}

/* ---- semaphores: the first word counts ---- */

int sched_sem_wait(void *semaphore) {
    point();
    if (is_destroyed(semaphore)) return -1;
    while (*(int *)semaphore <= 0) wait_for_others();
    --*(int *)semaphore;
    return 0;
}

int sched_sem_trywait(void *semaphore) {
    point();
    if (is_destroyed(semaphore)) return -1;
    if (*(int *)semaphore <= 0) return errno = EAGAIN, -1;
    --*(int *)semaphore;
    return 0;
}

int sched_sem_timedwait(void *semaphore) {
    while (sched_sem_trywait(semaphore) != 0) {
        if (random_next() % 4 == 0) return errno = ETIMEDOUT, -1;
        wait_for_others();
    }
    return 0;
}

int sched_sem_post(void *semaphore) {
    point();
    if (is_destroyed(semaphore)) return -1;
    ++*(int *)semaphore;
    return 0;
}

/* ---- the kernel's: a writer becomes a reader; completions count, UINT_MAX stands for any number ---- */

int sched_downgrade(void *lock) {
    point();
    *(int *)lock = 1;
    return 0;
}

int sched_complete(void *completion, int all) {
    unsigned *done = completion;
    point();
    *done = all || *done == UINT32_MAX ? UINT32_MAX : *done + 1;
    return 0;
}

int sched_try_await(void *completion) {
    unsigned *done = completion;
    point();
    if (*done == 0) return -1;
    if (*done != UINT32_MAX) --*done;
    return 0;
}

int sched_await(void *completion) {
    while (sched_try_await(completion) != 0) wait_for_others();
    return 0;
}

/* ---- barriers: how many are needed, how many have come, how often it opened ---- */

struct barrier {
    unsigned needed, arrived, opened;
};

int sched_barrier_init(void *object, unsigned count) {
    if (count == 0) return EINVAL;
    *(struct barrier *)object = (struct barrier){count, 0, 0};
    return 0;
}

int sched_barrier_wait(void *object) {
    struct barrier *barrier = object;
    point();
    if (is_destroyed(object)) return EINVAL;
    unsigned before = barrier->opened;
    if (++barrier->arrived == barrier->needed) {
        barrier->arrived = 0;
        barrier->opened++;
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    while (barrier->opened == before) wait_for_others();
    return 0;
}

/* ---- once: 0 not yet, 1 running, 2 done ---- */

int sched_once(int *control, void (*function)(void)) {
    point();
    while (*control != 2) {
        if (*control == 0) {
            *control = 1;
            tasks[running].once = control;
            function();
            tasks[running].once = NULL;
            *control = 2;
        } else wait_for_others();
    }
    return 0;
}

/* ---- data of a thread ---- */

int sched_key_create(unsigned *key, void (*destructor)(void *)) {
    static unsigned used;
    if (used == MAX_KEYS) _exit(0);
    destructors[used] = destructor;
    *key = used++;
    return 0;
}

int sched_setspecific(unsigned key, const void *value) {
    tasks[running].specific[key] = (void *)value;
    return 0;
}

void *sched_getspecific(unsigned key) { return tasks[running].specific[key]; }

/* ---- sleeping takes any time ---- */

int sched_yield(void) { return point(), 0; }
int usleep(unsigned time) { return (void)time, point(), 0; }
unsigned sleep(unsigned time) { return (void)time, point(), 0; }
int nanosleep(const struct timespec *time, struct timespec *left) { return (void)time, (void)left, point(), 0; }

/* ---- functions named __VERIFIER_atomic_*, by -finstrument-functions ---- */

static int is_atomic_function(void *function) {
    Dl_info info;
    return dladdr(function, &info) && info.dli_saddr == function && info.dli_sname &&
           strncmp(info.dli_sname, "__VERIFIER_atomic_", 18) == 0;
}

void __cyg_profile_func_enter(void *function, void *caller) {
    (void)caller;
    if (is_atomic_function(function)) sched_atomic_begin();
}

void __cyg_profile_func_exit(void *function, void *caller) {
    (void)caller;
    if (is_atomic_function(function)) sched_atomic_end();
}

/* ---- called in front of shared accesses, by -fsanitize=thread ---- */

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
#define ACCESS(name, size, writes) \
    void __tsan_##name(void *address) { arrive(address, size, writes, 0, __builtin_return_address(0)); }
ACCESS(read1, 1, 0) ACCESS(read2, 2, 0) ACCESS(read4, 4, 0) ACCESS(read8, 8, 0) ACCESS(read16, 16, 0)
ACCESS(write1, 1, 1) ACCESS(write2, 2, 1) ACCESS(write4, 4, 1) ACCESS(write8, 8, 1) ACCESS(write16, 16, 1)
ACCESS(unaligned_read2, 2, 0) ACCESS(unaligned_read4, 4, 0) ACCESS(unaligned_read8, 8, 0)
ACCESS(unaligned_write2, 2, 1) ACCESS(unaligned_write4, 4, 1) ACCESS(unaligned_write8, 8, 1)
void __tsan_read_range(void *address, unsigned long size) { arrive(address, size, 0, 0, __builtin_return_address(0)); }
void __tsan_write_range(void *address, unsigned long size) { arrive(address, size, 1, 0, __builtin_return_address(0)); }
/* Memory that is given back is kept, so that whoever still uses it is seen to. */
void sched_free(void *block) {
    if (!block) return;
    arrive(block, malloc_usable_size(block), 1, 0, __builtin_return_address(0));
    give_back(block);
}
void *sched_realloc(void *block, size_t size) {
    if (block) arrive(block, malloc_usable_size(block), 1, 0, __builtin_return_address(0));
    void *larger = malloc(size);
    if (larger && block) {
        size_t old = malloc_usable_size(block);
        memcpy(larger, block, old < size ? old : size);
        give_back(block);
    }
    return larger;
}
void __tsan_atomic_thread_fence(int order) { (void)order; }
void __tsan_atomic_signal_fence(int order) { (void)order; }

#define FETCH(bits, name, result)                                                      \
    uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *a, uint##bits##_t v, int o) { \
        (void)o;                                                                       \
        arrive(a, bits / 8, 1, 1, __builtin_return_address(0));                        \
        uint##bits##_t old = *a;                                                       \
        *a = (uint##bits##_t)(result);                                                 \
        return old;                                                                    \
    }
#define EXCHANGE(bits, name)                                                           \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile uint##bits##_t *a, uint##bits##_t *expected, \
                                                      uint##bits##_t v, int o, int p) { \
        (void)o, (void)p;                                                              \
        arrive(a, bits / 8, 1, 1, __builtin_return_address(0));                        \
        if (*a == *expected) return *a = v, 1;                                         \
        *expected = *a;                                                                \
        return 0;                                                                      \
    }
#define ATOMICS(bits)                                                                  \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *a, int o) { \
        (void)o;                                                                       \
        arrive(a, bits / 8, 0, 1, __builtin_return_address(0));                        \
        return *a;                                                                     \
    }                                                                                  \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *a, uint##bits##_t v, int o) { \
        (void)o;                                                                       \
        arrive(a, bits / 8, 1, 1, __builtin_return_address(0));                        \
        *a = v;                                                                        \
    }                                                                                  \
    uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(volatile uint##bits##_t *a, uint##bits##_t expected, \
                                                              uint##bits##_t v, int o, int p) { \
        (void)o, (void)p;                                                              \
        arrive(a, bits / 8, 1, 1, __builtin_return_address(0));                        \
        uint##bits##_t old = *a;                                                       \
        if (old == expected) *a = v;                                                   \
        return old;                                                                    \
    }                                                                                  \
    FETCH(bits, exchange, v)                                                           \
    FETCH(bits, fetch_add, old + v)                                                    \
    FETCH(bits, fetch_sub, old - v)                                                    \
    FETCH(bits, fetch_and, old & v)                                                    \
    FETCH(bits, fetch_or, old | v)                                                     \
    FETCH(bits, fetch_xor, old ^ v)                                                    \
    EXCHANGE(bits, strong)                                                             \
    EXCHANGE(bits, weak)
ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)

/* ---- undefined behaviour, by -fsanitize=signed-integer-overflow,... : recorded, and ends the run ---- */

struct source_location {
    const char *file;
    uint32_t line;
    uint32_t column;
};

#define UNDEFINED(name)                                               \
    void __ubsan_handle_##name(struct source_location *where) {       \
        record((int)where->line, 1);                                  \
        _exit(0);                                                     \
    }
UNDEFINED(add_overflow)
UNDEFINED(sub_overflow)
UNDEFINED(mul_overflow)
UNDEFINED(negate_overflow)
UNDEFINED(divrem_overflow)
UNDEFINED(out_of_bounds)
UNDEFINED(type_mismatch_v1) /* of a null pointer */

/* ---- many runs ---- */

static void run_once(uint64_t seed) {
    random_state = (seed + 1) * 0x9E3779B97F4A7C15ULL;
    random_next();
    static const unsigned masks[] = {0, 1, 3, 7, 15, 63};
    switch_mask = masks[random_next() % 6];
    alarm(5);
    sem_init(&tasks[0].turn, 0, 0);
    program_main(0, NULL);
    finish(NULL); /* main's return ends the process; here it takes its time until the others are done */
    pause();
}

static int all_failed(int count, char **lines) {
    for (int i = 0; i < count; i++)
        if (!counts->failed[atoi(lines[i])]) return 0;
    return 1;
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    long first = atol(argv[1]), runs = atol(argv[2]), done = 0;
    int crashed = 0;
    cpu_set_t one;
    copies = atoi(argv[3]);
    sees_deadlocks = getenv("DEADLOCKS") != NULL;
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED) return 2;
    CPU_ZERO(&one); /* control is handed around: one processor is faster */
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    for (; done < runs; done++) {
        if (done >= FEWEST_RUNS && all_failed(argc - 4, argv + 4)) break;
        pid_t child = fork();
        if (child < 0) return 2;
        if (child == 0) run_once((uint64_t)(first + done));
        int status;
        waitpid(child, &status, 0);
        if (!WIFEXITED(status)) crashed++;
    }
    for (int line = 0; line < MAX_LINES; line++)
        if (counts->reached[line]) printf("%d %u %u\n", line, counts->reached[line], counts->failed[line]);
    for (int i = 0; i < counts->race_count; i++) printf("race %#lx %#lx\n", counts->races[i][0], counts->races[i][1]);
    for (int i = 0; i < counts->late_count; i++) printf("late %#lx\n", counts->late[i]);
    printf("runs %ld crashed %d\n", done, crashed);
    return 0;
}

/* Readers and those who wait for them or for callbacks order nothing in the model of the kernel. */
void rcu_read_lock(void) {}
void rcu_read_unlock(void) {}
void synchronize_rcu(void) {}
void __duet_wait_for_timers(void) {}
void __duet_wait_for_interrupts(void) {}
void __duet_wait_for_opening(void) {}
void __duet_wait_for_completion(void) {}

/* No task is interrupted by another one on its processor. */
void __duet_interrupts_off(void) {}
void __duet_interrupts_on(void) {}
void __duet_bottoms_off(void) {}
void __duet_bottoms_on(void) {}
void __duet_interruptible(void) {}
