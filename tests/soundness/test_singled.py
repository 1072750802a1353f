"""A check of an element of an array that fails still does so where one element, whichever it is, is singled out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from unittest.mock import patch

import pytest

from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import Budgets, FrontendOptions
from duet.plip.semantics import Limits, explore
from duet.plip.syntax import Program, Step

STATES = 60_000
APART = Budgets(loop_trips=0, singled_arrays=0)
FEW = Budgets(loop_trips=0)
TOGETHER = Budgets(loop_trips=0, indexed_elements=0, array_cells=0)
"""With a cell for each element, ways told apart or not, and with one for all and one singled out."""
HEAD = """#include <assert.h>
#include <pthread.h>
#include <string.h>
#define N 3
int __VERIFIER_nondet_int(void);
struct pair { int a, b; };
struct pair p[N], q;
int v[N], w[N];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *run(void *unused) {
  int i = 0, j = 0;
  if (__VERIFIER_nondet_int()) i = 1; else if (__VERIFIER_nondet_int()) i = 2;
  CHOICE
  struct pair *at = &p[i];
  WORK
  return 0;
}
int main(void) { pthread_t t, u; pthread_create(&t, 0, run, 0); OTHER pthread_join(t, 0); return 0; }
"""
CHOICE = "if (__VERIFIER_nondet_int()) j = 1; else if (__VERIFIER_nondet_int()) j = 2;"
CHECK = "assert(p[i].a + p[i].b == 0);"
FAILING = {
    "one member": f"p[i].a = 1; {CHECK}",
    "only one element": f"p[i].a = 1; if (i != 1) p[i].b = -1; {CHECK}",
    "another element": f"p[i].a = 1; p[j].b = -1; {CHECK}",
    "another one is changed": f"p[i].a = p[i].b = 0; p[j].a = 1; {CHECK}",
    "before the index changes": f"{CHECK} p[i].a = 1; i = j; p[i].b = -1; {CHECK}",
    "by a pointer": f"at->a = 1; at = &p[j]; at->b = -1; {CHECK}",
    "a pointer that is moved": f"int *w = &at->a; w[1] = 1; {CHECK}",
    "bytes of it": f"((char *)at)[1] = 1; {CHECK}",
    "by a pointer with the name of what is singled out": f"struct pair *one = at; one->a = 1; {CHECK}",
    "as a number": f"*(long *)at = 1; {CHECK}",
    "two elements as a number": "if (j + 1 < N && i == j + 1) { v[i] = 0; *(long *)&v[j] = -1; assert(v[i] == 0); }",
    "all of it": f"p[i].a = 1; p[i].b = -1; memset(&p[0].b, 0, 4); memset(&p[1].b, 0, 12); {CHECK}",
    "a whole element": f"p[j].a = 1; p[i] = p[j]; {CHECK}",
    "copied to it": f"q.a = 1; memcpy(at, &q, sizeof q); {CHECK}",
    "two elements in one check": "v[i] = 1; v[j] = 2; assert(v[i] + v[j] == 3);",
    "what was there first": "v[j] = 1; assert(v[i] == 1);",
    "a check behind another one": "v[i] = 1; assert(v[i] == 1); v[j] = 2; assert(v[i] == 1);",
    "found by a guard": "v[j] = 1; if (v[i] != 0) assert(0);",
}
TWICE = "int s = p[i].a; int t = p[i].b; assert(s + t == 0);"


def _program(path: Path, work: str, other: str = "") -> Path:
    choice = CHOICE if "j" in work else ""
    path.write_text(HEAD.replace("CHOICE", choice).replace("WORK", work).replace("OTHER", other), encoding="utf-8")
    return path


def _lowered(path: Path, budgets: Budgets) -> Program:
    options = FrontendOptions(budgets=budgets)
    return lower(parse(preprocess(str(path), options).text, str(path), options), options).program


def _each(program: Program) -> Iterator[Program]:
    """The program for all numbers that the ghosts may hold, as far as they are addresses in it."""
    ghosts = [name for name in program.cells if name.endswith("address of one")]
    places = sorted({part for command in program.commands for part in _numbers(str(command.instruction))})
    for held in product(places, repeat=len(ghosts)):
        fixed = {name: replace(program.cells[name], lo=at, hi=at) for name, at in zip(ghosts, held, strict=True)}
        yield replace(program, cells={**program.cells, **fixed})


def _numbers(text: str) -> Iterator[int]:
    digits = "".join(letter if letter.isdigit() else " " for letter in text)
    for number in {int(word) for word in digits.split() if 1000 < int(word) < 1 << 40}:
        yield from (number, number + 4, number + 8, number + 16)


def _failing(program: Program) -> set[object]:
    found = explore(program, Limits(threads=3, states=STATES))
    return {(check.line, check.column) for check in found.failures}


def _lost(path: Path, budgets: Budgets) -> bool:
    """Whether a check no longer fails with cells for one element, or with its ways told apart."""
    told: set[object] = set()
    for program in _each(_lowered(path, budgets)):
        told |= _failing(program)
    return not _failing(_lowered(path, APART)) <= told


@pytest.mark.parametrize("name", FAILING)
def test_what_fails_still_does(name: str, tmp_path: Path) -> None:
    path = _program(tmp_path / "a.c", FAILING[name])
    assert _failing(_lowered(path, APART))
    assert not _lost(path, FEW)
    assert not _lost(path, TOGETHER)


def test_what_fails_beside_others_still_does(tmp_path: Path) -> None:
    path = _program(tmp_path / "a.c", f"{TWICE} p[i].a = 1; p[i].b = -1;", "pthread_create(&u, 0, run, 0);")
    assert _failing(_lowered(path, APART))
    assert not _lost(path, TOGETHER)


def test_elements_of_two_arrays_are_copied_from_one_to_the_other(tmp_path: Path) -> None:
    path = _program(tmp_path / "a.c", "w[j] = 2; v[i] = 1; memcpy(v + j, w + j, 4); assert(v[i] == 1);")
    assert _failing(_lowered(path, APART))
    assert not _lost(path, TOGETHER)


def _only_the_rest(step: Step, _: object) -> list[tuple[Step, ...]]:
    return [(step,)]


@pytest.mark.parametrize(
    ("rule", "wrong", "name"),
    [
        ("judgments.singled._ways", _only_the_rest, "bytes of it"),  # unknown accesses to the rest only
        ("graph.apart._written", lambda *_: [], "before the index changes"),  # an answer for ever
        ("graph.apart.Found.meets", lambda *_: False, "one member"),  # what cannot be
    ],
)
def test_defects_are_noticed(rule: str, wrong: Callable[..., object], name: str, tmp_path: Path) -> None:
    path = _program(tmp_path / "a.c", FAILING[name])
    with patch(f"duet.frontend.{rule}", wrong):
        assert _lost(path, TOGETHER)
