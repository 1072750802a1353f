"""Whoever finds what an array began with still does so where a ghost counts the elements that are set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from duet.frontend.judgments.prefixes import Access, element
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import Budgets, FrontendOptions
from duet.plip.semantics import Limits, explore
from duet.plip.syntax import TRUE, Program, Step
from tests.frontend.running import are_proved
from tests.soundness.rings import ring_program

STATES = 30_000
RANDOM = range(8)
APART = Budgets(loop_trips=0, singled_arrays=0)
"""With a cell for each element of an array; which one is singled out would be one more choice to explore."""
TOGETHER = replace(APART, indexed_elements=0, array_cells=0)
"""With one cell for all."""
HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 3
int __VERIFIER_nondet_int(void);
struct pair { int first; char text[4]; };
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int a[N], other[N], *p, x, y, c;
char s[N + 1];
struct pair pairs[N];
void *put(void *unused) {
  int k = __VERIFIER_nondet_int();
  if (k > N) { a[c + k] = 5; s[c + k] = 5; pairs[c + k].first = 5; }
  PUT
  return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, put, 0); pthread_join(t, 0); GET return 0; }
"""
LOOK = "assert(a[c - 1] != 0);"
FOUND = {
    "the next one": ("a[c++] = 5;", "assert(a[c] != 0);"),
    "counted first": ("c++; c++; a[1] = 5; a[2] = 5;", "for (int i = 0; i < c; i++) assert(a[i] != 0);"),
    "on one way": ("if (__VERIFIER_nondet_int()) a[c] = 5; c++;", LOOK),
    "in another array": ("p = __VERIFIER_nondet_int() ? a : other; p[c++] = 5;", LOOK),
    "in front of a gap": ("a[c] = 5; c += 2;", LOOK),
    "another remainder": ("for (int i = 0; i < 4; i++) { a[x] = 5; x = (x + 1) % 2; }", "assert(a[x + 2] != 0);"),
    "started over early": ("a[x] = 5; if (++x == N - 1) x = 0;", "y = N - 1; assert(a[y] != 0);"),
    "behind the first one": ("s[x] = 5; x = (x + 1) % 4;", "x--; unsigned u = x - 1; assert(s[u % 4] != 0);"),
    "set ahead": ("a[x] = 5; x = (x + 1) % N; x = 2; a[x] = 5;", "assert(a[(y + 1) % N] != 0);"),
    "a byte of it": ("*((char *)&a[c++] + 1) = 0;", LOOK),
    "a member of it": ("pairs[c++].text[1] = 5;", "assert(pairs[c - 1].first != 0);"),
    "no bytes": ("memset(&s[c++], 5, 0);", "assert(s[c - 1] != 0);"),
    "some bytes": (
        "int n = __VERIFIER_nondet_int(); if (n == 0 || n == 2) memset(s, 5, n); c++; c++;",
        "assert(s[1] != 0);",
    ),
    "scanned": ('scanf("%d", &a[c++]);', LOOK),
    "copied from it": ("for (; c < N; c++) a[c] = other[c];", LOOK),
    "from the second one on": (
        "int *q = malloc(N * sizeof *q); if (!q) return 0; p = q; q++; if (k > N) q[c + k] = 5; q[c++] = 5;",
        "if (p) assert(p[c - 1] != 0);",
    ),
    "not as far": ("a[x] = 5; x = (x + 1) % N; a[y] = 6; if (k == 1) y = (y + 1) % N;", "assert(x == y);"),
    "further than the array": (
        "for (int i = 0; i < N; i++) { a[x % N] = 5; x = (x + 1) % (2 * N); a[y] = 6; y = (y + 1) % N; }",
        "assert(x == y);",
    ),
    "by a pointer that is moved on": ("int *q = &a[c++]; if (k == 1) q++; *q = 5;", LOOK),
    "moved on": ("int i = c; a[i++] = 5; c = i + 1;", LOOK),
}


def _lowered(path: Path, budgets: Budgets) -> Program:
    options = FrontendOptions(budgets=budgets)
    return lower(parse(preprocess(str(path), options).text, str(path), options), options).program


def _lost(path: Path, budgets: Budgets) -> bool | None:
    """Whether a check no longer fails with ghosts; None where there are none."""
    told = _lowered(path, budgets)
    if not any(name.endswith(" set") or " modulo " in name for name in told.cells):
        return None
    plain = _failing(_lowered(path, replace(APART, counted_arrays=0)))
    return not plain <= _failing(told)


def _failing(program: Program) -> set[object]:
    found = explore(program, Limits(threads=2, states=STATES))
    assert found.states < STATES
    return {(check.line, check.column) for check in found.failures}


def _random(folder: Path) -> list[bool | None]:
    answers = list[bool | None]()
    for seed in RANDOM:
        path = folder / f"ring{seed}.c"
        path.write_text(ring_program(seed), encoding="utf-8")
        answers.append(_lost(path, TOGETHER if seed % 2 else APART))
    return answers


def test_random_programs_find_what_they_found(tmp_path: Path) -> None:
    answers = _random(tmp_path)
    assert True not in answers
    assert answers.count(False) > len(RANDOM) // 3


def _found(path: Path, name: str) -> Path:
    put, get = FOUND[name]
    path.write_text(HEAD.replace("PUT", put).replace("GET", get), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", FOUND)
def test_what_was_there_is_found(name: str, tmp_path: Path) -> None:
    path = _found(tmp_path / "program.c", name)
    assert _failing(_lowered(path, replace(APART, counted_arrays=0)))
    assert _lost(path, APART) is False or _lost(path, TOGETHER) is False


def _kept(_: object, step: Step, *__: object) -> list[tuple[Step, ...]]:
    return [(step,)]


def _anywhere(*given: Any) -> Access | None:
    found = element(*given)
    return None if found is None else replace(found, where=TRUE)


@pytest.mark.parametrize(
    ("rule", "wrong", "name"),
    [
        ("judgments.prefixes._Told._unset", lambda *_: [], "the next one"),  # all are set
        ("judgments.positions.taken_modulo", lambda step, _: step.arguments[0], "another remainder"),  # by whatever
        (
            "judgments.positions.Positions._set",
            lambda _, step, *__: [(step,)],
            "set ahead",
        ),  # whatever a cell is set to
        ("judgments.positions.Positions._inside", lambda *_: TRUE, "further than the array"),  # wherever cells are
        (
            "judgments.exclusion.Known.common",
            lambda known, _: known,
            "by a pointer that is moved on",
        ),  # as on one of the ways
        ("cells.rows.element", _anywhere, "from the second one on"),  # wherever a pointer leads
    ],
)
def test_defects_are_noticed(rule: str, wrong: Callable[..., object], name: str, tmp_path: Path) -> None:
    with patch(f"duet.frontend.{rule}", wrong):
        assert _lost(_found(tmp_path / "program.c", name), TOGETHER)


def test_threads_that_have_arrays_of_their_own_count_them_apart(tmp_path: Path) -> None:
    text = """#include <pthread.h>
int x, n, any(void); pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *unused) {
  int *a[100] = {0};
  while (any()) {
    pthread_mutex_lock(&m);
    if (any() && n < 100) a[n++] = &x;
    if (any() && n > 0) *a[--n] = 1;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, work, 0); }
"""
    assert not are_proved(tmp_path / "a.c", text, ("null-dereference",), "auto")
