/* Checks, assumptions, inputs, atomic sections, and what the compiler's instrumentation sees to be undefined. */
#define _GNU_SOURCE
#include "run.h"

#include <stdlib.h>

/* ---- checks, as the program calls them where it does not define them itself ---- */

void replay___assert_fail(const char *text, const char *file, unsigned line, const char *function) {
    (void)text, (void)file, (void)function;
    fail(ASSERTION, HERE, (int)line, 1);
}

static void check(int holds, int stops, uintptr_t pc) {
    if (!holds) fail(ASSERTION, pc, 0, stops);
}

#define WEAK __attribute__((weak))
WEAK void replay_assert(int holds) { check(holds, 1, HERE); }
WEAK void replay___VERIFIER_assert(int holds) { check(holds, 1, HERE); }
WEAK void replay___goblint_check(int holds) { check(holds, 0, HERE); }
WEAK void replay_BUG_ON(int fails) { check(!fails, 1, HERE); }
WEAK void replay_reach_error(void) { fail(ERROR_CALL, HERE, 0, 1); }
WEAK void replay___VERIFIER_error(void) { fail(ERROR_CALL, HERE, 0, 1); }
/* Called at the label of the check, where duet/replay/build.py puts it. */
void replay___duet_error_label(void) { fail(ERROR_LABEL, HERE, 0, 0); }

static void assume(int holds) {
    if (!holds) give_up();
}
WEAK void replay_assume(int holds) { assume(holds); }
WEAK void replay___VERIFIER_assume(int holds) { assume(holds); }
WEAK void replay_assume_abort_if_not(int holds) { assume(holds); }

void replay_abort(void) {
    if (running->depth > 0 && is_stub(running->stack[running->depth - 1].function)) fail(ASSERTION, HERE, 0, 1);
    give_up();
}

/* ---- inputs ---- */

#define INPUT(type, name, lo, hi) \
    WEAK type replay___VERIFIER_nondet_##name(void) { return (type)input(HERE, lo, hi); }
INPUT(int, int, INT32_MIN, INT32_MAX)
INPUT(unsigned, uint, 0, UINT32_MAX)
INPUT(unsigned, unsigned, 0, UINT32_MAX)
INPUT(short, short, INT16_MIN, INT16_MAX)
INPUT(unsigned short, ushort, 0, UINT16_MAX)
INPUT(char, char, INT8_MIN, INT8_MAX)
INPUT(unsigned char, uchar, 0, UINT8_MAX)
INPUT(_Bool, bool, 0, 1)
INPUT(long, long, INT64_MIN, INT64_MAX)
INPUT(long, loff_t, INT64_MIN, INT64_MAX)
INPUT(unsigned long, ulong, INT64_MIN, INT64_MAX)
INPUT(unsigned long, size_t, INT64_MIN, INT64_MAX)
INPUT(long long, longlong, INT64_MIN, INT64_MAX)
INPUT(unsigned long long, ulonglong, INT64_MIN, INT64_MAX)
INPUT(unsigned char, u8, 0, UINT8_MAX)
INPUT(unsigned short, u16, 0, UINT16_MAX)
INPUT(unsigned, u32, 0, UINT32_MAX)
INPUT(unsigned long, u64, INT64_MIN, INT64_MAX)
int replay_rand(void) { return (int)input(HERE, 0, INT32_MAX); }
long replay_random(void) { return (long)input(HERE, 0, INT32_MAX); }

/* The result of a function that is not there (duet/replay/build.py writes a body for it that calls this). */
long __duet_unknown(uintptr_t pc) { return (long)input(pc, 0, 1); }

/* ---- atomic sections, and the stack of calls, by -finstrument-functions ---- */

WEAK void replay___VERIFIER_atomic_begin(void) { enter_section(HERE); }
WEAK void replay___VERIFIER_atomic_end(void) { leave_section(); }

void __cyg_profile_func_enter(void *function, void *caller) {
    if (running->depth == MAX_DEPTH) end_run();
    running->stack[running->depth++] = (struct frame){(uintptr_t)function, (uintptr_t)caller};
    if (is_error_function((uintptr_t)function)) fail(ERROR_CALL, (uintptr_t)caller, 0, 0);
    if (is_atomic_function((uintptr_t)function)) enter_section((uintptr_t)caller);
}

void __cyg_profile_func_exit(void *function, void *caller) {
    (void)caller;
    if (running->depth > 0) running->depth--;
    if (is_atomic_function((uintptr_t)function)) leave_section();
}

/* ---- undefined behaviour, by -fsanitize=signed-integer-overflow,... ---- */

struct source_location {
    const char *file;
    uint32_t line, column;
};

#define UNDEFINED(name, kind) \
    void __ubsan_handle_##name(struct source_location *where) { fail(kind, HERE, (int)where->line, 1); }
UNDEFINED(add_overflow, OVERFLOW)
UNDEFINED(sub_overflow, OVERFLOW)
UNDEFINED(mul_overflow, OVERFLOW)
UNDEFINED(negate_overflow, OVERFLOW)
UNDEFINED(shift_out_of_bounds, OVERFLOW)
UNDEFINED(out_of_bounds, BOUNDS)
UNDEFINED(vla_bound_not_positive, BOUNDS)
UNDEFINED(type_mismatch_v1, NULL_POINTER)
UNDEFINED(pointer_overflow, NULL_POINTER)
void __ubsan_handle_divrem_overflow(struct source_location *where, uintptr_t left, uintptr_t right) {
    (void)left;
    fail(right == 0 ? DIVISION : OVERFLOW, HERE, (int)where->line, 1);
}
