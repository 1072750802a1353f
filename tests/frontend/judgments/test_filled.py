"""Elements of arrays that are set before anybody reads them hold nothing else than what is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest

from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import Budgets, FrontendOptions
from duet.plip.syntax import Cell
from duet.plip.terms import constant
from tests.frontend.running import are_proved

HEAD = """
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#define N 20
int __VERIFIER_nondet_int(void);
int scanf(const char *, ...);
struct job { int size, more[3]; };
pthread_t thread;
int cells[N], rows[12][10], other[N], count, *made;
struct job jobs[N];
union { int number; char byte; } both[N];
void *look(void *unused) { assert(cells[rand() % N] == 5); return 0; }
void *own(void *given) { struct job *job = given; assert(job->size == 5); return 0; }
void *next(void *given) { struct job *job = given; assert(job[1].size == 5); return 0; }
void *use_made(void *unused) { assert(made[rand() % N] == 5); return 0; }
void fill(int *p, int n) { for (int *e = p; e < p + n; e++) *e = 5; }
int used(int n) { int a[N]; for (int i = 0; i < n; i++) a[i] = 5; return a[rand() % N]; }
"""
ANY = "rand() % N"
OWN = "pthread_create(&thread, 0, own, &jobs[i]);"
EACH = "for (int i = 0; i < N; i++)"
LOOK = "pthread_create(&thread, 0, look, 0);"
READ = "assert(cells[rand() % N] == 5);"
MALLOC = "made = malloc(N * sizeof *made); if (!made) return 1;"
GOOD = {
    "a_loop": f"{EACH} cells[i] = 5; {LOOK}",
    "until_unequal": f"for (int i = 0; i != N; i++) cells[i] = 5; {LOOK}",
    "in_a_function": f"fill(cells, N); {LOOK}",
    "each_by_itself": f"{EACH} {{ cells[i] = 5; assert(cells[i] == 5); }}",
    "on_both_ways": f"{EACH} if (rand() % 2) cells[i] = 5; else cells[i] = 6; {LOOK}",
    "rows": "for (int i = 0; i < 12; i++) for (int j = 0; j < 10; j++) rows[i][j] = 5; assert(rows[rand()][9]);",
    "a_local": f"int a[N]; {EACH} a[i] = 5; assert(a[{ANY}] == 5);",
    "made": f"{MALLOC} {EACH} made[i] = 5; pthread_create(&thread, 0, use_made, 0);",
    "handed_on": f"{EACH} {{ jobs[i].size = 5; {OWN} }}",
    "handed_on_local": f"struct job a[N]; {EACH} {{ struct job *j = &a[i]; j->size = 5; {OWN[:-10]}j); }}",
}
BAD = {
    "too_few": f"for (int i = 0; i < N - 1; i++) cells[i] = 5; {LOOK}",
    "from_the_second": f"for (int i = 1; i < N; i++) cells[i] = 5; {LOOK}",
    "every_other": f"for (int i = 0; i < N; i += 2) cells[i] = 5; {LOOK}",
    "on_one_way": f"{EACH} if (rand() % 2) cells[i] = 5; {LOOK}",
    "left_early": f"{EACH} {{ if (rand() % 2) break; cells[i] = 5; }} {LOOK}",
    "any_number": f"int n = {ANY}; for (int i = 0; i < n; i++) cells[i] = 5; {LOOK}",
    "too_late": f"{LOOK} {EACH} cells[i] = 5;",
    "a_jump_ahead": f"for (int i = 0; i < N;) {{ int k = i; i++; if (k == 3) i = 9; cells[k] = 5; }} {LOOK}",
    "one_of_two": f"{EACH} {{ int *p = rand() % 2 ? &cells[i] : &other[i]; *p = 5; }} {LOOK}",
    "half_of_the_index": f"{EACH} cells[i / 2] = 5; {LOOK}",
    "as_bytes": f"{EACH} *(char *)&cells[i] = 5; {LOOK} {EACH} cells[i] = 5;",
    "scanned": f'{EACH} scanf("%d", &cells[i]); {LOOK}',
    "copied_before": f"memcpy(other, cells, sizeof other); {EACH} cells[i] = 5; return other[3];",
    "index_of_all": f"for (count = 0; count < N; count++) {{ {LOOK} cells[count] = 5; }}",
    "jumped_out": f"jmp_buf out; if (!setjmp(out)) {EACH} {{ if (i == 7) longjmp(out, 1); cells[i] = 5; }} {READ}",
    "in_a_handler": f"signal(SIGUSR1, (void (*)(int))look); {EACH} cells[i] = 5; {READ}",
    "short_rows": "for (int i = 0; i < 12; i++) for (int j = 0; j < 9; j++) rows[i][j] = 5; assert(rows[3][rand()]);",
    "a_row_less": "for (int i = 0; i < 11; i++) for (int j = 0; j < 10; j++) rows[i][j] = 5; assert(rows[rand()][3]);",
    "union": f"{EACH} both[i].byte = 5; assert(both[{ANY}].number == 5); {EACH} both[i].number = 5;",
    "entered_again": "while (rand()) assert(used(rand() % 2 * N) == 5);",
    "in_a_loop": f"for (int r = 0; rand(); r++) {{ int a[N]; if (!r) {EACH} a[i] = 5; assert(a[{ANY}] == 5); }}",
    "a_label": f"int n = 0; again:; int a[N]; if (!n) {{ {EACH} a[i] = 5; n = 1; goto again; }} assert(a[{ANY}] == 5);",
    "past_the_declaration": "for (int r = 0; rand(); r++) switch (r) { int a[N]; case 0: "
    f"{EACH} a[i] = 5; break; default: assert(a[{ANY}] == 5); }}",
    "made_half": f"{MALLOC} for (int i = 0; i < N / 2; i++) made[i] = 5; pthread_create(&thread, 0, use_made, 0);",
    "made_twice": f"for (int r = 0; rand(); r++) {{ {MALLOC} if (!r) {EACH} made[i] = 5; assert(made[{ANY}] == 5); }}",
    "moved": f"{MALLOC} {EACH} made[i] = 5; made = realloc(made, 200); if (made) assert(made[rand() % 50] == 5);",
    "handed_on_first": f"{EACH} {{ {OWN} jobs[i].size = 5; }}",
    "the_next_one": f"{EACH} {{ jobs[i].size = 5; if (i < 19) pthread_create(&thread, 0, next, &jobs[i]); }}",
    "another_one": f"{EACH} {{ jobs[i].size = 5; pthread_create(&thread, 0, own, &jobs[{ANY}]); }}",
    "one_too_early": f"pthread_create(&thread, 0, own, &jobs[9]); {EACH} {{ jobs[i].size = 5; {OWN} }}",
    "another_member": f"{EACH} {{ jobs[i].more[0] = 5; {OWN} jobs[i].size = 5; }}",
}


def beginning(folder: Path, body: str) -> set[str]:
    """The summary cells that begin with a value that is written."""
    path, options = folder / "a.c", FrontendOptions(budgets=Budgets(counted_arrays=0))
    path.write_text(f"{HEAD}int main(void) {{ {body} return 0; }}\n", encoding="utf-8")
    program = lower(parse(preprocess(str(path), options).text, str(path), options), options).program
    return {name for name, cell in program.cells.items() if cell.summary and _is_written(cell)}


def _is_written(cell: Cell) -> bool:
    return cell.lo == cell.hi in (5, 6)


@pytest.mark.parametrize("case", [*GOOD])
def test_nobody_sees_what_was_there_before(case: str, tmp_path: Path) -> None:
    assert beginning(tmp_path, GOOD[case])


@pytest.mark.parametrize("case", [*BAD])
def test_somebody_may_see_it(case: str, tmp_path: Path) -> None:
    assert not beginning(tmp_path, BAD[case])


HANDED = """
#include <pthread.h>
struct work { int done; } work;
struct job { struct work *on; } jobs[20];
pthread_t thread;
void *own(void *given) { struct job *job = given; job->on->done = 1; return 0; }
int main(void) { for (int i = 0; i < 20; i++) { BODY } return 0; }
"""


@pytest.mark.parametrize(("body", "is_set"), [("SET START", True), ("START SET", False), ("if (i) SET START", False)])
def test_pointers_that_are_set_are_not_null(body: str, is_set: bool, tmp_path: Path) -> None:
    text = HANDED.replace("BODY", body).replace("SET", "jobs[i].on = &work;").replace("START", OWN)
    assert are_proved(tmp_path / "a.c", text, ("null-dereference",), "interval") == is_set


@pytest.mark.parametrize(
    ("rule", "wrong", "case"),
    [
        ("Elements.is_before", lambda *_: True, "from_the_second"),  # all in front of any element are set
        ("_lower", lambda *_: [constant(1 << 30)], "left_early"),  # a condition says that all are set
    ],
)
def test_defects_are_noticed(rule: str, wrong: Callable[..., object], case: str, tmp_path: Path) -> None:
    with patch(f"duet.frontend.judgments.filled.{rule}", wrong):
        assert beginning(tmp_path, BAD[case])
