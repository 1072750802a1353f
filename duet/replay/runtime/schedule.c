/* The scheduler: which task goes on, by a schedule in the first attempts, by a guided or blind choice in later ones.

   A schedule is a list of steps (task, effect, place). A task that is about to do what its next step says waits until
   all earlier steps of others are done. What the schedule does not mention happens at once: it was found not to matter.
   Steps that cannot be done (their task has ended, or waits) are dropped. */
#define _GNU_SOURCE
#include "guide.h"
#include "run.h"

#include <string.h>
#include <unistd.h>

enum { MAX_STEPS = 20000, PATIENCE = 400 };

struct task tasks[MAX_TASKS];
int task_count = 1, atomic_depth;
struct task *running = tasks;

static struct guide_step *steps;
static int step_count, first_open; /* steps before `first_open` are done or dropped */
static int taken;
static int is_strict, is_loose, deviation; /* one decision in `deviation` is random; 0 for none */
static uint64_t random_state;

uint64_t random_next(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x2545F4914F6CDD1DULL >> 16;
}

int chance(unsigned one_in) { return deviation && random_next() % one_in == 0; }

void begin_attempt(int attempt, struct guide_step *found, int count) {
    static const int deviations[] = {64, 16, 6, 3};
    steps = found, step_count = count;
    random_state = ((uint64_t)attempt + 1) * 0x9E3779B97F4A7C15ULL;
    random_next();
    is_strict = attempt == 0;
    is_loose = attempt > 0 && attempt % 2;
    deviation = attempt < 2 ? 0 : deviations[attempt / 2 % 4];
    if (attempt % 5 == 4) step_count = 0, deviation = 1 << (attempt / 5 % 7); /* blind */
    sem_init(&tasks[0].turn, 0, 0);
}

/* ---- the schedule ---- */

static void drop(int index) {
    steps[index].is_done = 1;
    while (first_open < step_count && steps[first_open].is_done) first_open++;
}

static int next_step_of(struct task *task, int from) {
    for (int i = from; i < step_count; i++)
        if (!steps[i].is_done && steps[i].task == task->number) return i;
    return -1;
}

static int fits(struct guide_step *step, struct operation *about, struct place place) {
    if (!is_place(step->place, place)) return 0;
    if (is_loose || step->effect == UPDATE || about->effect == UPDATE) return 1;
    return step->effect == (int)about->effect;
}

/* The step that a task is about to do, -1 if none; steps of its own in front of it will not come any more. */
static int step_of(struct task *task) {
    struct place place = place_of(task->next.pc);
    for (int i = next_step_of(task, first_open); i >= 0; i = next_step_of(task, i + 1))
        if (task->next.effect == SECTION || fits(&steps[i], &task->next, place)) {
            for (int j = first_open; j < i; j++)
                if (steps[j].task == task->number) drop(j);
            return i;
        }
    return -1;
}

int is_its_turn(struct task *task) { return first_open < step_count && steps[first_open].task == task->number; }

int task_number(uintptr_t function) {
    static int beyond = 10000;
    for (int i = 0; i < guide.thread_count; i++)
        if (!guide.threads[i].is_used && guide.threads[i].function == function) {
            guide.threads[i].is_used = 1;
            return guide.threads[i].task;
        }
    return beyond++;
}

int64_t input(uintptr_t pc, int64_t lo, int64_t hi) {
    struct place place = place_of(pc);
    for (int i = 0; i < guide.input_count; i++) {
        struct guide_input *given = &guide.inputs[i];
        if (given->is_used || given->task != running->number || !is_place(given->place, place)) continue;
        given->is_used = 1;
        if (!chance(16)) return given->value;
        break;
    }
    if (is_strict) return lo <= 0 && hi >= 0 ? 0 : lo;
    uint64_t kind = random_next() % 8, value = random_next();
    if (kind == 0) return lo;
    if (kind == 1) return hi;
    if (kind == 2) value = (uint64_t)1 << value % 40;
    else if (kind == 3) value = value << 32 ^ random_next();
    else value %= 1 << (2 * kind - 6);
    if (lo < 0 && random_next() % 4 == 0) value = -value;
    int64_t result = (int64_t)value;
    if (result >= lo && result <= hi) return result;
    uint64_t width = (uint64_t)(hi - lo) + 1;
    return width ? lo + (int64_t)(value % width) : result;
}

/* ---- whose turn it is ---- */

void end_run(void) { _exit(0); }

static int can_run(struct task *task) {
    if (task->is_finished) return 0;
    return !task->is_ready || task->is_ready(task);
}

static struct task *task_of(int number) {
    for (int i = 0; i < task_count; i++)
        if (tasks[i].number == number && !tasks[i].is_finished) return &tasks[i];
    return NULL;
}

static struct task *any_other(struct task *self) {
    struct task *found[MAX_TASKS];
    int count = 0;
    for (int i = 0; i < task_count; i++)
        if (&tasks[i] != self && can_run(&tasks[i])) found[count++] = &tasks[i];
    if (count == 0) return NULL;
    return found[deviation ? random_next() % count : 0];
}

static void switch_to(struct task *task, int is_leaving) {
    struct task *self = running;
    if (task == self) return;
    running = task;
    sem_post(&task->turn);
    if (!is_leaving)
        while (sem_wait(&self->turn) != 0) continue;
}

/* The task that is to run in front of step `mine` (all steps if -1), dropping steps that cannot be done. */
static struct task *whose_turn(struct task *self, int mine) {
    while (first_open < step_count && (mine < 0 || first_open < mine)) {
        struct task *due = task_of(steps[first_open].task);
        if (due && due != self && can_run(due)) return due;
        if (due == self && mine < 0) return NULL;
        drop(first_open);
    }
    return NULL;
}

static void count_step(void) {
    if (++taken > MAX_STEPS) end_run();
}

/* A task that is about to make one of the accesses of the race waits once, for the other one to come. */
static int is_held_for_race(struct task *self) {
    struct place place = place_of(self->next.pc);
    if (!wants(RACE) || !self->next.is_memory || self->is_hurried) return 0;
    if (!is_place(place, guide.target) && !is_place(place, guide.second)) return 0;
    struct task *other = whose_turn(self, -1);
    if (!other || !can_run(other)) other = any_other(self);
    if (!other) return 0;
    switch_to(other, 0);
    return 1;
}

/* The running task may do what it is about to do, as soon as it is its turn. */
static void await_turn(struct task *self) {
    if (atomic_depth > 0) {
        int inside = step_of(self);
        if (inside >= 0 && self->next.effect != SECTION) drop(inside);
        return;
    }
    if (deviation && step_count == 0) {
        struct task *other = random_next() % deviation == 0 ? any_other(self) : NULL;
        if (other) switch_to(other, 0);
        return;
    }
    if (self->is_hurried) { /* others wait for it: it goes on as far as it likes once */
        self->is_hurried = 0;
        return;
    }
    if (deviation && random_next() % deviation == 0) {
        struct task *other = random_next() % 2 ? any_other(self) : NULL;
        if (other) other->is_hurried = 1, switch_to(other, 0);
        return;
    }
    while (1) {
        int mine = step_of(self);
        if (mine < 0) {
            if (is_held_for_race(self)) return;
            struct task *ahead = first_open < step_count ? task_of(steps[first_open].task) : NULL;
            if (ahead && ahead != self && can_run(ahead)) { /* its turn is over */
                switch_to(ahead, 0);
                continue;
            }
            if (++self->free_steps <= PATIENCE) return;
            self->free_steps = 0;
            struct task *other = whose_turn(self, -1);
            if (!other) other = any_other(self);
            if (other) switch_to(other, 0);
            return;
        }
        self->free_steps = 0;
        struct task *due = whose_turn(self, mine);
        if (!due) {
            if (self->next.effect != SECTION) drop(mine);
            return;
        }
        switch_to(due, 0);
    }
}

/* Others may run until the task can go on. */
static void wait_ready(struct task *self) {
    while (!can_run(self)) {
        count_step();
        if (atomic_depth > 0) end_run();
        struct task *other = whose_turn(self, -1);
        if (!other || !can_run(other)) other = any_other(self);
        if (!other) {
            look_for_circle();
            end_run();
        }
        switch_to(other, 0);
    }
}

static int never(struct task *task) { return (void)task, 0; }

void give_up(void) {
    if (atomic_depth > 0) end_run();
    running->is_ready = never;
    wait_ready(running);
    end_run();
}

/* ---- what tasks do ---- */

static void look_for_race(struct operation *mine) {
    for (int i = 0; i < task_count; i++) {
        struct operation *theirs = &tasks[i].next;
        if (&tasks[i] == running || tasks[i].is_finished || !tasks[i].is_pending || !theirs->is_memory) continue;
        if (mine->effect == READ && theirs->effect == READ) continue;
        if (mine->is_atomic && theirs->is_atomic) continue;
        if (mine->address < theirs->address + theirs->size && theirs->address < mine->address + mine->size)
            fail_pair(mine->pc, theirs->pc);
    }
}

static void do_next(struct operation about) {
    struct task *self = running;
    count_step();
    self->next = about;
    self->is_pending = 1;
    if (about.is_memory && wants(RACE)) look_for_race(&self->next);
    await_turn(self);
    self->is_pending = 0;
    record_step(self->number, about.pc);
}

/* Ends the run where memory is used that is given back. */
static void expect_there(uintptr_t address, size_t size, uintptr_t pc) {
    if (where_is(address, size) == FREED) fail(GONE, pc, 0, 1);
}

void point(enum effect effect, uintptr_t pc) {
    uintptr_t used = running->used;
    running->used = 0;
    expect_there(used, 1, pc);
    do_next((struct operation){pc, 0, 0, effect, 0, 0});
    expect_there(used, 1, pc);
}

void arrive(uintptr_t address, size_t size, enum effect effect, int is_atomic, uintptr_t pc) {
    if (address == 0) fail(NULL_POINTER, pc, 0, 1);
    if (address < 4096) end_run();
    if (where_is(address, size) == OUTSIDE) fail(BOUNDS, pc, 0, 1);
    expect_there(address, size, pc);
    do_next((struct operation){pc, address, size, effect, is_atomic || atomic_depth > 0, 1});
    expect_there(address, size, pc); /* another task may have given it back meanwhile */
}

void wait_until(int (*is_ready)(struct task *), enum effect effect, uintptr_t pc) {
    struct task *self = running;
    point(effect, pc);
    self->waits_at = pc;
    self->is_ready = is_ready;
    if (!can_run(self)) {
        look_for_circle();
        wait_ready(self);
    }
    self->is_ready = NULL;
}

void enter_section(uintptr_t pc) {
    if (atomic_depth == 0) point(SECTION, pc);
    atomic_depth++;
}

void leave_section(void) {
    if (atomic_depth > 0) atomic_depth--;
}

void finish_task(void) {
    struct task *self = running;
    self->is_finished = 1;
    struct task *other = whose_turn(self, -1);
    if (!other || !can_run(other)) other = any_other(self);
    if (other) {
        switch_to(other, 1);
        return;
    }
    for (int i = 0; i < task_count; i++)
        if (!tasks[i].is_finished) look_for_circle();
    end_run();
}

/* With any number of threads: how many more of a function the schedule has than the program has started. */
int copies_wanted(uintptr_t function) {
    int count = 0;
    for (int i = 0; guide.has_copies && i < guide.thread_count; i++)
        count += !guide.threads[i].is_used && guide.threads[i].function == function;
    return count;
}
