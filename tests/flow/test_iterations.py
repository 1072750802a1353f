"""Which cells tell the iterations of loops apart."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from duet.absint.cases import Cases, Splitting
from duet.absint.state import State
from duet.flow.iterations import MOST, VALUES, iterations
from duet.plip.parser import parse_program
from duet.plip.syntax import Program
from tests.frontend.running import statuses

_LOOP = """
global g = 0
thread main {
  local i = 0
  local n = 0
  local t = 0
  while (CONDITION) { BODY }
  assert n == 3
}
"""
_OTHER = "thread T { g := 1 }"


def program(condition: str, body: str, other: str = _OTHER) -> Program:
    return parse_program(_LOOP.replace("CONDITION", condition).replace("BODY", body) + other, "t.plip")


def splits(loop: Program, width: int = 0) -> tuple[str, ...]:
    """The splits where all cells are known within bounds that are so far apart."""
    return iterations(loop, ("n",), lambda _, __, most: width <= most).splits


def test_what_is_counted_and_decides_tells_iterations_apart() -> None:
    found = iterations(program("i < 3", "t := i  i := t + 1  n := n + 1"), ("n",), lambda *_: True)
    assert found.splits == ("i",)
    assert found.moved == {"i", "n", "t"}


@pytest.mark.parametrize("body", ["t := g  i := t  n := n + 1", "i := *  n := n + 1"])
def test_what_others_or_inputs_give_does_not(body: str) -> None:
    assert splits(program("i < 3", body)) == ()


def test_what_a_global_gives_that_no_other_thread_writes_does() -> None:
    body = "g := g + 1  i := g  n := n + 1"
    assert splits(program("i < 3", body, other="")) == ("i",)
    assert splits(program("i < 3", body)) == ()
    assert splits(program("i < 3", body, other="thread T { local u  u := g }")) == ("i",)


def test_loops_that_change_nothing_of_concern_are_left_alone() -> None:
    assert splits(program("i < 3", "i := i + 1")) == ()


def test_cells_of_too_many_values_do_not() -> None:
    assert splits(program("i < 3", "i := i + i  n := n + 1"), width=VALUES) == ("i",)
    assert splits(program("i < 3", "i := i + i  n := n + 1"), width=VALUES + 1) == ()


def test_loops_by_even_steps_are_known_to_have_too_many_rounds() -> None:
    body = "i := i + 2  n := n + 1"
    assert splits(program("i < 3", body), width=2 * MOST - 1) == ("i",)
    assert splits(program("i < 3", body), width=2 * MOST) == ()
    assert splits(program("i < 3", f"{body}  i := i + i"), width=2 * MOST) == ("i",)


_C = """
#include <assert.h>
static int rounds;
int twice(int x) { return 2 * x; }
int main(void) { int n = 0, last = 0; LOOP assert(CHECK); return 0; }
"""
TRUE = {
    "counted": ("for (int i = 0; i < 20; i++) if (i % 3 == 0) n++;", "n == 7"),
    "two counters": ("for (int i = 0, j = 9; i < j; i++, j -= 2) n += j - i;", "n == 18"),
    "nested": ("for (int i = 0; i < 4; i++) for (int j = i; j < 4; j++) n++;", "n == 10"),
    "halved": ("for (unsigned i = 40; i != 0; i /= 2) { last = i; n++; }", "n == 6 && last == 1"),
    "a call": ("int i = 1; do { n++; i = twice(i); } while (i < 50);", "n == 6"),
    "hundreds": ("for (int i = 0; i < 200; i++) if (i % 2 == 0) n++;", "n == 100"),
    "left early": ("for (int i = 0; i < 30; i++) { if (n * n > 10) break; n++; }", "n == 4"),
    "beside a global": ("for (int i = 0; i < 5; i++) { n += i % 3; rounds++; assert(rounds == i + 1); }", "n == 4"),
}
FALSE = {
    "counted": ("for (int i = 0; i < 20; i++) if (i % 3 == 0) n++;", "n == 6"),
    "two counters": ("for (int i = 0, j = 9; i < j; i++, j -= 2) n += j - i;", "n < 18"),
    "nested": ("for (int i = 0; i < 4; i++) for (int j = i; j < 4; j++) n++;", "n < 10"),
    "too many": ("for (int i = 0; i < 20; i++) for (int j = 0; j < 20; j++) n += j % 3;", "n <= 64"),
    "left early": ("for (int i = 0; i < 30; i++) { if (n * n > 10) break; n++; }", "n == 30"),
    "beside a global": ("for (int i = 0; i < 5; i++) { n += i % 3; rounds++; }", "n == 5"),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_follows_from_each_iteration_is_proved(name: str, tmp_path: Path) -> None:
    loop, check = TRUE[name]
    assert all(one.is_safe for one in statuses(tmp_path / "a.c", _C.replace("LOOP", loop).replace("CHECK", check)))


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_is_not_proved(name: str, tmp_path: Path) -> None:
    loop, check = FALSE[name]
    assert not any(one.is_safe for one in statuses(tmp_path / "a.c", _C.replace("LOOP", loop).replace("CHECK", check)))


def test_iterations_that_are_dropped_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: where there are too many cases, they are gone."""
    apart = Splitting.of

    def defect(self: Splitting, states: Iterable[State], coarse: int = 0) -> Cases:
        return {} if coarse and self.cells else apart(self, states, coarse)

    monkeypatch.setattr(Splitting, "of", defect)
    loop, check = FALSE["too many"]
    assert any(one.is_safe for one in statuses(tmp_path / "a.c", _C.replace("LOOP", loop).replace("CHECK", check)))
