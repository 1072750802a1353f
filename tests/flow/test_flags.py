"""Which cells are flags: few constants, asked about, and of concern."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.flow.flags import flags
from duet.plip.parser import parse_program
from tests.frontend.running import statuses

_TEXT = """
global flag = 0
global counted = 0
global silent = 0
global far = 0
global x = 0
thread main { spawn w  flag := 1  silent := 1  far := 1  x := 3 }
thread w {
  local mine = 0
  local given = 0
  local copied = 0
  local input = 0
  local number = 0
  mine := 1
  input := * in 0..1
  number := * in 0..100
  copied := x
  counted := counted + 1
  [flag == 1]
  [counted >= 0]
  [mine == 1]
  [copied >= 0]
  [input == 1]
  [number == 1]
  [far == 1]
}
"""


def test_flags_hold_few_constants_and_are_asked_about() -> None:
    found = flags(parse_program(_TEXT, "t.plip"), ["x", "flag"], [("x", "counted", "silent")])
    assert set(found) == {"flag", "mine", "input", "x", "copied"}


def test_globals_that_are_protected_with_what_is_of_concern_are_flags() -> None:
    assert "far" in flags(parse_program(_TEXT, "t.plip"), ["x"], [("x", "far")])
    assert "far" not in flags(parse_program(_TEXT, "t.plip"), ["x"], [])


_INPUT = """
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned seen = __VERIFIER_nondet_uint();
    if (seen != 0 && seen != 0x18000) return 0;
    if (seen & 0x8000) assert(seen >> 16 == WANTED);
    return 0;
}
"""


@pytest.mark.parametrize("wanted", [1, 0])
def test_bits_of_one_of_few_numbers_are_told_by_others_without_a_relation(wanted: int, tmp_path: Path) -> None:
    """Where the highest bits are looked at they are 1."""
    (found,) = statuses(tmp_path / "a.c", _INPUT.replace("WANTED", str(wanted)))
    assert found.is_safe == (wanted == 1)
