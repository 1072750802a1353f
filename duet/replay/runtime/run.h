/* What the parts of the runtime share. One task runs at a time; `point` is where control may go to another one.

   A function `replay_NAME` takes the place of NAME in the object files of the program that is run, and nowhere else. */
#ifndef RUN_H
#define RUN_H

#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_TASKS = 64, MAX_DEPTH = 256, MAX_HANDLERS = 32 };

/* What is seen to fail. */
enum kind { ASSERTION = 1, OVERFLOW, BOUNDS, DIVISION, NULL_POINTER, RACE, DEADLOCK, ERROR_CALL, ERROR_LABEL, GONE };

/* How others see an operation. */
enum effect { READ = 'r', WRITE = 'w', UPDATE = 'u', START = 's', JOIN = 'j', SECTION = 'a', QUIET = 'q' };

struct place {
    int file, line; /* file is 0 where nothing is known */
};

/* What a task is about to do. */
struct operation {
    uintptr_t pc, address;
    size_t size;
    enum effect effect;
    int is_atomic, is_memory;
};

struct frame {
    uintptr_t function, call;
};

struct lock;
struct task {
    sem_t turn;
    int number; /* in the schedule; beyond it for tasks that it does not know */
    int is_finished, is_detached, is_c11, is_hurried;
    void *result, *argument;
    void *(*function)(void *);
    pthread_t id;
    struct operation next;
    int is_pending;
    int (*is_ready)(struct task *); /* not null: waits until it says yes */
    struct lock *awaited;
    uintptr_t used; /* where a lock is that it is about to operate on; 0 for none */
    struct task *joined;
    int *once; /* the state of what it is initialising */
    uintptr_t waits_at;
    unsigned seen; /* how often what it waits for had happened when it began to wait */
    int depth, ending;
    struct frame stack[MAX_DEPTH];
    int free_steps;
};

extern struct task tasks[MAX_TASKS];
extern int task_count, atomic_depth;
extern struct task *running;

/* schedule.c */
void point(enum effect effect, uintptr_t pc);
void arrive(uintptr_t address, size_t size, enum effect effect, int is_atomic, uintptr_t pc);
void wait_until(int (*is_ready)(struct task *), enum effect effect, uintptr_t pc);
void finish_task(void);
void enter_section(uintptr_t pc);
void leave_section(void);
int task_number(uintptr_t function);
int copies_wanted(uintptr_t function);
int is_its_turn(struct task *task);
int chance(unsigned one_in); /* never in the first attempts, which follow the schedule */
uint64_t random_next(void);
int64_t input(uintptr_t pc, int64_t lo, int64_t hi);
void end_run(void) __attribute__((noreturn));
void give_up(void) __attribute__((noreturn)); /* the task ends the run, but others may come first */

/* outcome.c */
struct place place_of(uintptr_t pc);
int is_place(struct place one, struct place other);
void fail(enum kind kind, uintptr_t pc, int line, int stops);
void fail_pair(uintptr_t one, uintptr_t other);
int wants(enum kind kind);
int is_stub(uintptr_t function);
int is_error_function(uintptr_t function);
int is_atomic_function(uintptr_t function);
void record_step(int task, uintptr_t pc);

/* locks.c */
void look_for_circle(void);

/* memory.c */
enum where { INSIDE, OUTSIDE, FREED };
enum where where_is(uintptr_t address, size_t size);

#define HERE ((uintptr_t)__builtin_return_address(0))

#endif
