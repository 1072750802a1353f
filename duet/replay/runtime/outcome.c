/* What failed: is it what was asked for? And many attempts, each in a process of its own, until one says yes. */
#define _GNU_SOURCE
#include "guide.h"
#include "run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_TRACE = 20000, KINDS = 11 };

struct outcome {
    int has_failed, is_begun;
    unsigned others[KINDS]; /* failures of another kind or at another place, by kind */
    int count;
    struct {
        int task;
        struct place place;
    } trace[MAX_TRACE];
};

static struct outcome *outcome;
struct guide guide;

/* ---- places ---- */

struct place place_of(uintptr_t pc) {
    int low = 0, high = guide.line_count - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (guide.lines[middle].pc == pc) return guide.lines[middle].place;
        if (guide.lines[middle].pc < pc) low = middle + 1;
        else high = middle - 1;
    }
    return (struct place){0, 0};
}

int is_place(struct place one, struct place other) { return one.file && one.file == other.file && one.line == other.line; }

static int is_among(const uintptr_t *found, int count, uintptr_t wanted) {
    for (int i = 0; i < count; i++)
        if (found[i] == wanted) return 1;
    return 0;
}

int is_stub(uintptr_t function) { return is_among(guide.stubs, guide.stub_count, function); }
int is_error_function(uintptr_t function) { return is_among(guide.errors, guide.error_count, function); }
int is_atomic_function(uintptr_t function) { return is_among(guide.sections, guide.section_count, function); }
int wants(enum kind kind) { return guide.wanted == kind; }

/* ---- failures ---- */

static void record_place(int task, struct place place) {
    if (!place.file || outcome->count == MAX_TRACE) return;
    outcome->trace[outcome->count].task = task;
    outcome->trace[outcome->count++].place = place;
}

void record_step(int task, uintptr_t pc) { record_place(task, place_of(pc)); }

/* Where a debugger stops: the check has failed, all threads are where they were. */
void __attribute__((noinline)) __duet_failed(void) { __asm__ volatile(""); }

static void succeed(void) {
    record_place(running->number, guide.target);
    outcome->has_failed = 1;
    __duet_failed();
    _exit(0);
}

static int is_check(enum kind kind) { return kind == ASSERTION || kind == ERROR_CALL; }

/* The place of a check is that of the call of the function that makes it, also where the program defines that one. */
static int is_target(enum kind kind, uintptr_t pc, int line) {
    struct place place = place_of(pc);
    if (kind == guide.wanted && is_place(place, guide.target)) return 1;
    if (kind == guide.wanted && line && is_place((struct place){place.file, line}, guide.target)) return 1;
    if (!is_check(kind) || !is_check(guide.wanted)) return 0;
    for (int depth = running->depth; depth > 0; depth--) {
        struct frame *frame = &running->stack[depth - 1];
        int is_error = is_error_function(frame->function);
        if (!is_error && !is_stub(frame->function)) return 0;
        if (guide.wanted == (is_error ? ERROR_CALL : ASSERTION) && is_place(place_of(frame->call), guide.target)) return 1;
    }
    return 0;
}

void fail(enum kind kind, uintptr_t pc, int line, int stops) {
    if (is_target(kind, pc, line)) succeed();
    if (!stops) return;
    outcome->others[kind]++;
    if (is_check(kind)) give_up();
    _exit(0); /* what is undefined has happened */
}

void fail_pair(uintptr_t one, uintptr_t other) {
    struct place first = place_of(one), second = place_of(other);
    if (guide.wanted != RACE) return;
    if ((is_place(first, guide.target) && is_place(second, guide.second)) ||
        (is_place(second, guide.target) && is_place(first, guide.second)))
        succeed();
}

/* A fault that no instrumentation announced: where it is in the program is not known. */
static void on_signal(int number) {
    (void)number;
    _exit(0);
}

/* ---- attempts ---- */

extern int __duet_program_main();
void __duet_main_returned(void) __attribute__((noreturn));

static void attempt(int number, int is_debugged) {
    static char stack[1 << 16];
    stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigaltstack(&own, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    if (!is_debugged) alarm(3);
    begin_attempt(number, guide.steps, guide.step_count);
    static char *arguments[] = {"program", NULL};
    __duet_program_main(1, arguments, NULL);
    __duet_main_returned();
}

static void tell(const char *path, int attempts, const char *verdict) {
    FILE *file = fopen(path, "w");
    if (!file) exit(3);
    fprintf(file, "%s %d\n", verdict, attempts);
    for (int kind = 1; kind < KINDS; kind++)
        if (outcome->others[kind]) fprintf(file, "other %d %u\n", kind, outcome->others[kind]);
    for (int i = 0; outcome->has_failed && i < outcome->count; i++)
        fprintf(file, "step %d %d %d\n", outcome->trace[i].task, outcome->trace[i].place.file, outcome->trace[i].place.line);
    fclose(file);
}

/* With a number behind the two files, that attempt is made in this process, for a debugger. */
int main(int count, char **arguments) {
    if (count != 3 && count != 4) return 2;
    read_guide(arguments[1]);
    outcome = mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (outcome == MAP_FAILED) return 3;
    time_t until = time(NULL) + guide.seconds;
    int number = 0;
    if (count == 4) attempt(atoi(arguments[3]), 1);
    for (; number < guide.attempts && !outcome->has_failed && time(NULL) < until; number++) {
        outcome->count = 0;
        int child = fork();
        if (child < 0) return 3;
        if (child == 0) attempt(number, 0);
        while (waitpid(child, NULL, 0) < 0) continue;
    }
    tell(arguments[2], number, outcome->has_failed ? "failed" : "passed");
    return 0;
}
