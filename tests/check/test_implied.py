"""The accesses of programs that say nothing of a source."""

from __future__ import annotations

from duet.check.implied import with_accesses
from duet.plip.accesses import Access, AccessKind
from duet.plip.parser import parse_program

TEXT = """global x = 0 label "count"
global y = 0
summary a = 0
thread main { spawn w }
thread w function "worker" { local t
  t := x
  y := x + t
  a := t
  t := a
  atomic { x := 1 }
  [x == 1]
  t := 2
}
"""


def made(line: int) -> tuple[Access, ...]:
    program = with_accesses(parse_program(TEXT, "t.plip"))
    found = (command for command in program.commands if command.span is not None and command.span.line == line)
    return tuple(access for command in found for access in command.accesses)


def kinds(line: int) -> set[tuple[AccessKind, str]]:
    return {(access.kind, access.object) for access in made(line)}


def test_an_instruction_accesses_the_globals_that_it_reads_and_writes() -> None:
    assert kinds(6) == {(AccessKind.READ, "x")}
    assert kinds(7) == {(AccessKind.READ, "x"), (AccessKind.WRITE, "y")}
    assert kinds(11) == {(AccessKind.READ, "x")}


def test_cells_of_a_thread_are_nobody_elses() -> None:
    assert kinds(12) == set()


def test_summary_cells_are_read_and_written_too() -> None:
    assert (AccessKind.WRITE, "a") in kinds(8)
    assert kinds(9) == {(AccessKind.READ, "a")}


def test_only_atomic_steps_are_atomic() -> None:
    assert [access.is_atomic for access in made(10)] == [True]
    assert not any(access.is_atomic for line in (6, 7, 8, 9, 11) for access in made(line))


def test_steps_inside_an_atomic_region_are_atomic() -> None:
    text = "global x = 0 thread main { entry 0 exit 3 atomic at 1 0: skip -> 1 1: x := 1 -> 2 2: x := 2 -> 3 }"
    found = [access for command in with_accesses(parse_program(text)).commands for access in command.accesses]
    assert [access.is_atomic for access in found] == [True, False]


def test_an_access_is_told_in_the_words_of_the_program() -> None:
    (access,) = made(6)
    assert (access.label, access.path, access.stack[0].function) == ("count", (), "worker")
    assert access.span is not None
    assert access.span.line == 6
    assert access.declared is not None
    assert access.declared.line == 1
