"""What fails whenever a thread gets there is told apart from what fails on one way that a library chooses."""

from __future__ import annotations

from pathlib import Path

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.options import AnalysisOptions, FrontendOptions
from duet.plip.marks import MAY_GIVE_NULL
from duet.reading import read
from duet.result import Assertion

TEXT = """#include <string.h>
static void set(char *p) { *p = 3; }
int main(int count, char **arguments) {
  char s[] = "a -> b", *p = s, *q = s;
  int n = strlen(strstr(s, "->") + 1);
  if (count > 3) { p = 0; *p = 1; }
  while (n--) { q = 0; *q = 2; }
  set(arguments[n]); set(0);
  return n;
}
"""


def found(folder: Path) -> dict[int, Assertion]:
    path = folder / "a.c"
    path.write_text(TEXT, encoding="utf-8")
    program = read((str(path),), FrontendOptions(properties=("null-dereference",)), Clock())
    checks = assertions(analyse(program.program, AnalysisOptions()), program.checks)
    return {one.check.line: one for one in checks if not one.status.is_safe}


def test_what_a_library_may_give_is_not_certain(tmp_path: Path) -> None:
    given = found(tmp_path)[5]
    assert not given.is_certain
    assert given.invariant == 'strstr(s, "->") may be null'
    assert given.cause is not None
    assert given.cause.text.endswith(MAY_GIVE_NULL)


def test_what_the_program_sets_is(tmp_path: Path) -> None:
    """Behind a condition, and in a loop that may end at any time: once a thread is there, it fails."""
    checks = found(tmp_path)
    assert checks[6].is_certain
    assert checks[7].is_certain


def test_what_fails_for_one_caller_only_is_not(tmp_path: Path) -> None:
    assert not found(tmp_path)[2].is_certain
