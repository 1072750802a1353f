"""Which commands stand for more than C does: each kind of guess of lowering has a mark, and inputs have none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from duet.frontend.graph.exact import marks_moved
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import FrontendOptions
from duet.plip.marks import ANY_VALUE, ANY_WAY, SEVERAL, united
from duet.plip.parser import parse_program
from duet.plip.printer import print_program
from duet.plip.reduction import with_local_decisions
from duet.plip.regions import merge_regions
from duet.plip.syntax import SKIP, Command, Havoc, Program

START = (
    "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <signal.h>\n"
    "int x, i, table[100]; unsigned u; pthread_mutex_t m, locks[100]; pthread_rwlock_t rw;\n"
    "extern int there; int __mystery(int); float weight;\n"
    "int __VERIFIER_nondet_int(void); void unknown(int *); int ask(void); void g(int n) { x = n; }\n"
    "void *f(void *a) { x++; return 0; }\n"
)


def program_of(body: str, tmp_path: object, **options: object) -> Program:
    path = f"{tmp_path}/p.c"
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{START}int main(void) {{ pthread_t t; {body} return 0; }}\n")
    given = replace(FrontendOptions(), **options)  # type: ignore[arg-type]
    lowered = lower(parse(preprocess(path, given).text, path, given), given)
    return merge_regions(with_local_decisions(lowered.program))


def marks(program: Program) -> set[str]:
    return {command.approximates for command in program.commands} - {""}


EXACT = (
    "x = __VERIFIER_nondet_int(); assert(x < 3);",
    "x = ask(); if (x > 2) x = 5; else x = 3; assert(x);",
    "int k; x = k; if (rand() > 2) x = 1;",
    "pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(x == 1);",
    "if (pthread_create(&t, 0, f, 0)) return 1; pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
    "if (pthread_mutex_trylock(&m) == 0) x = 1; while (x) x--; u = u + 1;",
    "__atomic_fetch_add(&x, 1, 5); if (__sync_bool_compare_and_swap(&x, 1, 2)) x = 4;",
    "pthread_rwlock_rdlock(&rw); x = 1; pthread_rwlock_unlock(&rw); pthread_rwlock_wrlock(&rw);",
    'x = __builtin_ffs(8); pthread_create(&t, 0, f, 0); pthread_detach(t); atoi("5");',
    "if (__builtin_add_overflow(ask(), 1, &x)) x = 4;",
    "switch (x) { case 1: i = 2; break; case 2: i = 3; break; default: i = 4; }",
)


@pytest.mark.parametrize("body", EXACT)
def test_code_that_is_lowered_as_it_is_has_no_mark(body: str, tmp_path: object) -> None:
    assert marks(program_of(body, tmp_path)) == set()


GUESSES = (
    ("weight = 2; x = weight > 1;", "floating"),
    ("table[ask() & 63] = 3; x = table[ask() & 63];", SEVERAL),
    ("unknown(&x); assert(x);", ANY_VALUE),
    ("int k = 70; while (k > ask()) k--; pthread_mutex_lock(&locks[k]); x = 1;", "this lock is not told apart"),
    ("for (i = 0; i < 90; i++) pthread_create(&t, 0, f, 0); pthread_join(t, 0);", ANY_WAY),
    ("signal(2, g); x = 3;", "signal is modelled"),
    ("x = there;", "what there holds is not tracked"),
    ("x = __mystery(3);", ""),  # a library's result is no input
    ("x = __builtin_ffs(x);", ANY_VALUE),
    ("x = atoi(\"5\");", ANY_VALUE),
    ("int k = __builtin_mul_overflow(ask(), x, &x); if (k) x = 1;", ANY_WAY),
    ("x = abs(x);", "abs is modelled"),
    ("__asm__(\"nop\" : \"=r\"(x));", ""),
)  # fmt: skip


@pytest.mark.parametrize(("body", "reason"), GUESSES)
def test_what_stands_for_more_than_c_does_is_marked(body: str, reason: str, tmp_path: object) -> None:
    assert any(reason in mark for mark in marks(program_of(body, tmp_path))), marks(program_of(body, tmp_path))


def test_memory_is_not_taken_to_be_exhausted(tmp_path: object) -> None:
    found = program_of("int *p = malloc(sizeof *p); if (!p) return 1; *p = 3; assert(*p == 3);", tmp_path)
    assert marks(found) == {"this allocation may fail"}
    assert sum(bool(command.approximates) for command in found.commands) == 1


def test_any_number_of_threads_is_what_was_asked_for(tmp_path: object) -> None:
    assert marks(program_of("pthread_create(&t, 0, f, 0); x = 1;", tmp_path, parameterized=True)) <= {
        ANY_VALUE
    }  # of ids


def test_a_call_that_nothing_remains_of_marks_what_is_next_to_it(tmp_path: object) -> None:
    found = program_of("int k = 70; while (k > ask()) k--; x = 1; pthread_mutex_lock(&locks[k]); x = 2;", tmp_path)
    assert any("told apart" in command.approximates for command in found.commands)


def test_marks_of_steps_that_do_nothing_move_to_where_the_same_executions_pass() -> None:
    step = Havoc("a")
    commands = [Command(0, step, 1), Command(1, SKIP, 2, approximates="why"), Command(2, step, 3), Command(0, step, 2)]
    moved = marks_moved(commands, 0, 3)
    assert [command.approximates for command in moved] == ["why", "", "", ""]
    # into a location that others enter, from the entry: nothing but the step itself tells that it was passed
    commands = [Command(0, SKIP, 2, approximates="why"), Command(0, step, 2), Command(2, step, 3)]
    assert marks_moved(commands, 0, 3) == commands


def test_the_text_form_keeps_marks(tmp_path: object) -> None:
    program = program_of("unknown(&x); x = table[ask() & 63];", tmp_path)
    again = parse_program(print_program(program))
    assert [c.approximates for c in again.commands] == [c.approximates for c in program.commands]
    assert marks(again)


def test_a_mark_of_a_value_does_not_hide_another_one() -> None:
    assert united("", ANY_VALUE, "no lock is taken", SEVERAL) == "no lock is taken"
    assert united("", SEVERAL, ANY_VALUE) == SEVERAL
    assert united("", "") == ""
