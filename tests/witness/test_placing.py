"""Where invariants of witnesses may be, and how they get into a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.clock import Clock
from duet.errors import DuetError, SourceError
from duet.frontend.source.invariants import places
from duet.options import INVARIANT, FrontendOptions, Invariant
from duet.plip.syntax import TRUE, Assert
from duet.reading import read, read_units

PROGRAM = """\
typedef unsigned char byte;
int all;
#define TWICE for (int j = 0; j < 2; j++)
static void f(int a) {
    int b = a;
    for (int i = 0; i < 9; i++) { int c = i; while (c > 0) c--; }
    TWICE { b++; }
    if (b) *(&all) = 1; else do b--; while (b > 0);
again:
    b = b + 1;
    if (b < 5) goto again;
    switch (b) { case 5: all = 2; break; default: (void)0; }
    all = b;
}
int main(void) { f(3); return 0; }
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "a.c"
    path.write_text(PROGRAM, encoding="utf-8")
    return str(path)


def test_places_are_loops_and_the_beginnings_of_functions(file: str) -> None:
    ((unit, _),) = read_units((file,), FrontendOptions(), Clock())
    found = {(p.function, p.span.line, p.span.column, p.is_of_loop): p.variables for p in places(unit)}
    assert found == {
        ("f", 5, 5, False): {"all", "a"},
        ("f", 6, 5, True): {"all", "a", "b"},
        ("f", 6, 46, True): {"all", "a", "b", "i", "c"},
        ("f", 8, 30, True): {"all", "a", "b"},
        ("main", 15, 18, False): {"all"},
    }


def checked(file: str, line: int, column: int, expression: str, is_of_loop: bool = False) -> list[str]:
    """The conditions that are checked of an invariant, one for each copy."""
    asked = Invariant(file, line, column, is_of_loop, expression)
    found = read((file,), FrontendOptions(properties=(), invariants=(asked,)), Clock())
    commands = [c for c in found.program.commands if isinstance(c.instruction, Assert)]
    checks = [c.instruction.check for c in commands if isinstance(c.instruction, Assert)]
    assert {(c.line, c.property_name, c.expression) for c in checks} <= {(line, INVARIANT, expression)}
    return [str(c.span) for c in commands]


@pytest.mark.parametrize(
    ("line", "column", "is_of_loop"),
    [(5, 5, False), (6, 5, False), (6, 5, True), (6, 46, True), (6, 60, False), (8, 12, False), (8, 30, True),
     (8, 33, False), (9, 1, False), (10, 5, False), (12, 26, False), (12, 51, False), (13, 0, False), (15, 18, False)],
)  # fmt: skip
def test_an_invariant_is_checked_at_its_place(file: str, line: int, column: int, is_of_loop: bool) -> None:
    expression = "all >= 0" if line == 15 else "b != 77" if line > 5 else "a == 3"
    assert checked(file, line, column, expression, is_of_loop)


@pytest.mark.parametrize(("line", "column", "is_of_loop"), [(6, 4, False), (5, 5, True), (2, 1, False), (99, 1, True)])
def test_a_place_that_is_none_is_refused(file: str, line: int, column: int, is_of_loop: bool) -> None:
    with pytest.raises(SourceError, match="begins here"):
        checked(file, line, column, "1", is_of_loop)


def test_what_a_label_stands_before_keeps_its_scope(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    text = "#include <assert.h>\nint b;\nint main(void) {\n    int a = 1;\nlabel:\n    int b = a;\n"
    text += "    assert(b == 1);\n    return b;\n}\n"
    path.write_text(text, encoding="utf-8")
    asked = Invariant(str(path), 5, 1, False, "a == 1")
    options = FrontendOptions(properties=("assertion",), std="gnu23", invariants=(asked,))
    found = read((str(path),), options, Clock())
    conditions = [c.instruction.condition for c in found.program.commands if isinstance(c.instruction, Assert)]
    assert conditions == [TRUE, TRUE], "it is known: b is the one of main, not that of the file"


@pytest.mark.parametrize(
    "text", ["b++", "b = 1", "f(1)", "1); f(1", "1;", "", "b +", "({ b; })", "b, all", "(byte){1}"]
)
def test_only_expressions_without_effects_are_taken(file: str, text: str) -> None:
    with pytest.raises(DuetError, match="of the witness"):
        checked(file, 13, 5, text)


def test_types_of_the_program_may_be_named(file: str) -> None:
    assert checked(file, 13, 5, "(byte)b == b")
    assert checked(file, 13, 5, "sizeof(byte) == 1 && *&b >= 0")
