/* The schedule that a run follows, as read from a file. */
#ifndef GUIDE_H
#define GUIDE_H

#include "run.h"

struct guide_step {
    int task, effect, is_done;
    struct place place;
};

struct guide_input {
    int task, is_used;
    struct place place;
    int64_t value;
};

struct guide_thread {
    int task, is_used;
    uintptr_t function;
};

struct line {
    uintptr_t pc;
    struct place place;
};

struct guide {
    struct guide_step *steps;
    struct guide_input *inputs;
    struct guide_thread *threads;
    struct line *lines; /* by address */
    uintptr_t *stubs, *errors, *sections;
    int step_count, input_count, thread_count, line_count, stub_count, error_count, section_count;
    enum kind wanted;
    struct place target, second; /* `second` is the other side of a race; file 0 for any */
    int attempts, seconds, has_copies;
};

extern struct guide guide;
void read_guide(const char *path);
void begin_attempt(int attempt, struct guide_step *found, int count);

#endif
