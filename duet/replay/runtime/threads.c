/* Threads: each is one of the system's that waits for its turn. */
#define _GNU_SOURCE
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

static pthread_key_t last;
static int has_key;

/* Called when a thread ends, after all cleanup handlers, and again after the destructors of other keys. */
static void on_end(void *value) {
    struct task *task = value;
    if (++task->ending < 4) pthread_setspecific(last, task);
    else finish_task();
}

static void *run_task(void *argument) {
    struct task *task = argument;
    pthread_setspecific(last, task);
    while (sem_wait(&task->turn) != 0) continue;
    if (task->is_c11) task->result = (void *)(intptr_t)((int (*)(void *))task->function)(task->argument);
    else task->result = task->function(task->argument);
    return task->result;
}

static struct task *start(void *(*function)(void *), void *argument, int is_c11) {
    if (task_count == MAX_TASKS) end_run();
    if (!has_key) pthread_key_create(&last, on_end), has_key = 1;
    struct task *task = &tasks[task_count];
    sem_init(&task->turn, 0, 0);
    task->number = task_number((uintptr_t)function);
    task->function = function, task->argument = argument, task->is_c11 = is_c11;
    task_count++;
    if (pthread_create(&task->id, NULL, run_task, task) != 0) end_run();
    return task;
}

static struct task *task_of(pthread_t id) {
    for (int i = 0; i < task_count; i++)
        if (tasks[i].id == id) return &tasks[i];
    return NULL;
}

static void know_main(void) {
    if (running == tasks) tasks[0].id = pthread_self();
}

int replay_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
    know_main();
    point(START, HERE);
    struct task *task = start(function, argument, 0);
    int state = PTHREAD_CREATE_JOINABLE;
    if (attributes) pthread_attr_getdetachstate(attributes, &state);
    task->is_detached = state == PTHREAD_CREATE_DETACHED;
    *thread = task->id;
    for (int more = copies_wanted((uintptr_t)function); more > 0; more--) start(function, argument, 0)->is_detached = 1;
    return 0;
}

/* Threads of entries that nothing in the program starts (see duet/replay/harness.py). */
void __duet_start(void *(*function)(void *)) {
    know_main();
    point(START, HERE);
    start(function, NULL, 0);
}

static int has_ended(struct task *task) { return task->joined->is_finished; }

static int await_end(pthread_t thread, void **result, uintptr_t pc) {
    struct task *task = task_of(thread);
    if (!task) return ESRCH;
    if (task == running) return EDEADLK;
    if (task->is_detached) return EINVAL;
    running->joined = task;
    wait_until(has_ended, JOIN, pc);
    running->joined = NULL;
    task->is_detached = 1;
    if (result) *result = task->result;
    return 0;
}

int replay_pthread_join(pthread_t thread, void **result) {
    know_main();
    return await_end(thread, result, HERE);
}

int replay_pthread_tryjoin_np(pthread_t thread, void **result) {
    struct task *task = task_of(thread);
    point(JOIN, HERE);
    return task && task->is_finished ? await_end(thread, result, HERE) : EBUSY;
}

int replay_pthread_detach(pthread_t thread) {
    struct task *task = task_of(thread);
    point(UPDATE, HERE);
    if (task) task->is_detached = 1;
    return task ? 0 : ESRCH;
}

void __duet_main_returned(void) __attribute__((noreturn));

void replay_pthread_exit(void *result) {
    running->result = result;
    if (running->once) *running->once = 0; /* as if it had not been called */
    if (running != tasks) pthread_exit(result);
    finish_task();
    while (1) pause();
}

/* ---- C11 ---- */

int replay_thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
    know_main();
    point(START, HERE);
    *thread = start((void *(*)(void *))function, argument, 1)->id;
    return thrd_success;
}

int replay_thrd_join(thrd_t thread, int *result) {
    void *found = NULL;
    know_main();
    if (await_end(thread, &found, HERE) != 0) return thrd_error;
    if (result) *result = (int)(intptr_t)found;
    return thrd_success;
}

int replay_thrd_detach(thrd_t thread) { return replay_pthread_detach(thread) == 0 ? thrd_success : thrd_error; }
void replay_thrd_exit(int result) { replay_pthread_exit((void *)(intptr_t)result); }
void replay_thrd_yield(void) { point(QUIET, HERE); }

/* ---- the end of the program ---- */

static void (*handlers[MAX_HANDLERS])(void);
static int handler_count;

int replay_atexit(void (*handler)(void)) {
    if (handler_count == MAX_HANDLERS) return -1;
    handlers[handler_count++] = handler;
    return 0;
}

/* The end of a process takes its time: others go on until they have ended, too. */
void __duet_main_returned(void) {
    while (handler_count > 0) handlers[--handler_count]();
    finish_task();
    while (1) pause();
}

void replay_exit(int status) {
    (void)status;
    __duet_main_returned();
}

void replay__exit(int status) {
    (void)status;
    point(QUIET, HERE);
    give_up();
}

void replay__Exit(int status) {
    (void)status;
    point(QUIET, HERE);
    give_up();
}

/* ---- time passes as it likes ---- */

int replay_sched_yield(void) { return point(QUIET, HERE), 0; }
int replay_pthread_yield(void) { return point(QUIET, HERE), 0; }
int replay_usleep(unsigned time) { return (void)time, point(QUIET, HERE), 0; }
unsigned replay_sleep(unsigned time) { return (void)time, point(QUIET, HERE), 0; }
int replay_nanosleep(const struct timespec *time, struct timespec *left) {
    return (void)time, (void)left, point(QUIET, HERE), 0;
}
