"""Linear expressions as cells: which there are, that they keep their values, what they prove, and defects in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from duet.flow import derived as module
from duet.flow.derived import Derived, derived
from duet.plip.parser import parse_program
from duet.plip.semantics import Limits, explore
from duet.plip.syntax import Assert, Assign, Instruction, Linear, Program, Step
from duet.plip.terms import evaluate, term_cells
from tests.frontend.running import statuses

_TEXT = """
global n = 1
global size = 4
thread main { spawn w  n := n + 2  size := 2  n := size  size := * in 0..3 }
thread w {
  local a = 0
  local b
  local c = 0
  a := n
  b := size
  c := a
  c := mul(c, b)
  [3 * c <= b]
  [a + b + c <= 7]
  a := a - c
  assert 2 * a <= b + 3
}
"""


def _found(program: Program, is_stable: bool = True) -> Derived:
    checks = [index for index, one in enumerate(program.commands) if isinstance(one.instruction, Assert)]
    return derived(program, checks, sorted(program.cells), lambda *_: is_stable)


def test_expressions_of_checks_come_with_those_of_what_they_copy() -> None:
    program = parse_program(_TEXT, "t.plip")
    found = _found(program)
    assert set(found.meanings.values()) == {
        Linear((("a", 2), ("b", -1))),
        Linear((("b", 1), ("c", -3))),
        Linear((("a", 1), ("b", 1), ("c", 1))),
        Linear((("n", 2), ("size", -1))),
    }
    assert found.plain is program
    assert [one.source for one in found.program.commands] == [one.source for one in program.commands]
    (name,) = [name for name, term in found.meanings.items() if "n" in term_cells(term)]
    assert (found.program.cells[name].lo, found.program.cells[name].hi) == (-2, -2)
    assert 3 in found.limits[name]


def test_ghosts_have_the_values_of_their_expressions_in_every_state() -> None:
    """But for those of a thread's own cells before it has set one of them, which may have any value."""
    found = _found(parse_program(_TEXT, "t.plip"))
    exploration = explore(found.program, Limits(threads=2))
    shared = {name: term for name, term in found.meanings.items() if "n" in term_cells(term)}
    stores = [store for place in found.program.template_of for store in exploration.thread_stores(place)]
    assert stores
    for store in stores:
        values = {cell: value for cell, value in store.items() if isinstance(value, int)}
        assert all(values[name] == evaluate(term, values) for name, term in shared.items())


def test_what_others_may_write_unseen_is_in_no_expression_with_locals() -> None:
    text = "global g = 0 thread main { spawn w  g := 1 } thread w { local a  a := * in 0..9  assert 2 * a <= g }"
    program = parse_program(text, "t.plip")
    assert [*_found(program).meanings.values()] == [Linear((("a", 2), ("g", -1)))]
    assert not _found(program, is_stable=False).meanings


_C = """
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int used, size = 8, spare;
void *one(void *u) { int k = __VERIFIER_nondet_int(); if (k < 1 || k > 5) return 0;
pthread_mutex_lock(&m); ONE pthread_mutex_unlock(&m); return 0; }
void *two(void *u) { pthread_mutex_lock(&m); TWO pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 3; i++) { pthread_create(&t, 0, one, 0); pthread_create(&t, 0, two, 0); }
pthread_mutex_lock(&m); int a = used, b = size, c = spare; pthread_mutex_unlock(&m); assert(CHECK); return 0; }
"""  # noqa: E501
TRUE = {
    "twice": ("if (2 * used < size) used++;", "size += 2;", "2 * used <= size + 1"),
    "weights": ("used += k; size += 2 * k;", "if (used >= 2) { used -= 2; size -= 4; }", "b == 2 * a + 8"),
    "between": ("used += 1; size += k;", "spare = used;", "b >= a + 8 && b <= 5 * a + 8"),
    "three": ("if (used + spare < size) used++;", "if (used > 0) { used--; spare++; }", "a + c <= b"),
    "a test kept": ("int full = 3 * used >= size; if (!full) used++;", "used = 0;", "3 * a <= b + 2"),
}
FALSE = {
    "twice": ("if (2 * used < size) used++;", "size -= 2;", "2 * used <= size + 1"),
    "weights": ("used += k; size += 2 * k;", "if (used >= 2) { used -= 2; size -= 3; }", "b == 2 * a + 8"),
    "between": ("used += 1; size += k;", "used++;", "b >= a + 8"),
    "three": ("if (used + spare <= size - 6) used++;", "if (used > 0) { used--; spare++; }", "a + c <= b - 6"),
    "a test kept": ("int full = 3 * used >= size; if (full) used++; else used += 2;", "used = 0;", "3 * a <= b + 2"),
    "set anew": ("if (2 * used < size) used++;", "used = k_of(); size = 1;", "2 * used <= size + 1"),
}


def _text(program: tuple[str, str, str]) -> str:
    one, two, check = program
    text = _C.replace("ONE", one).replace("TWO", two).replace("CHECK", check)
    return text.replace("k_of()", "__VERIFIER_nondet_int()")


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_proved(name: str, tmp_path: Path) -> None:
    assert all(status.is_safe for status in statuses(tmp_path / "a.c", _text(TRUE[name])))


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_is_not_proved(name: str, tmp_path: Path) -> None:
    assert not any(status.is_safe for status in statuses(tmp_path / "a.c", _text(FALSE[name])))


def test_a_ghost_that_is_wrong_shows_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a ghost has to do with its expression is found by the domain, not taken for granted."""
    followed = module._followed

    def defect(step: Instruction, names: Mapping[str, Linear]) -> Iterator[Step]:
        is_lower = isinstance(step, Assign) and len(step.value.terms) == 1 and step.value.constant < 0
        yield from followed(step, {} if is_lower else names)

    monkeypatch.setattr(module, "_followed", defect)
    assert not any(status.is_safe for status in statuses(tmp_path / "a.c", _text(FALSE["twice"])))
