"""Constants for locals in guards over globals: what is substituted, and what must not be."""

from __future__ import annotations

import pytest

from duet.flow.guards import over_globals
from duet.plip.parser import parse_program
from duet.plip.printer import show_instruction

HEAD = """global x = 0
global y = 0
main main
thread main function "main" {
  local t = 0
  local u = 0
  entry 0  exit 9
"""


def _shown(body: str) -> list[str]:
    program = over_globals(parse_program(HEAD + body + "}\n", "example.plip"))
    return [show_instruction(command.instruction) for command in program.commands]


def test_a_local_that_is_a_copy_of_a_constant_gives_way_to_it() -> None:
    assert _shown("0: t := 3 -> 1\n1: u := t + 1 -> 2\n2: [x - u == 0] -> 9\n")[2] == "[u - x == 0 && x == 4]"


def test_atomic_commands_are_followed_step_by_step() -> None:
    shown = _shown("0: t := 3 -> 1\n1: atomic { [x - t == 0]; t := 4; [y - t <= 0]; } -> 9\n")
    assert shown[1] == "atomic { [t - x == 0 && x == 3]; t := 4; [-t + y <= 0 && y <= 4]; }"


def test_what_a_step_reads_is_known_to_the_end_of_it() -> None:
    shown = _shown("0: atomic { t := x; u := t - 1; [u >= 3]; } -> 1\n1: [t == u] -> 9\n")
    assert shown == ["atomic { t := x; u := t - 1; [u >= 3 && x >= 4]; }", "[t - u == 0]"]


def test_a_guard_comes_before_the_writes_that_hide_what_it_says() -> None:
    assert _shown("0: atomic { t := x; x := 1; [t == 0]; } -> 9\n") == [
        "atomic { t := x; [t == 0 && x == 0]; x := 1; }"
    ]
    assert _shown("0: atomic { t := x; x := x + 1; u := t; x := *; [u == 0]; } -> 9\n") == [
        "atomic { t := x; x := x + 1; u := t; [u == 0 && x == 1]; x := *; }"
    ]


def test_a_guard_tells_the_constant() -> None:
    assert _shown("0: [t == 2] -> 1\n1: [x - t == 0] -> 9\n")[1] == "[t - x == 0 && x == 2]"


@pytest.mark.parametrize("between", ["t := *", "t := t + 1", "t := x", "t := mul(t, u)", "atomic { t := *; x := 1; }"])
def test_a_constant_ends_with_what_else_is_written(between: str) -> None:
    shown = _shown(f"0: t := 0 -> 1\n1: {between} -> 2\n2: [x - t == 0] -> 9\n")[2]
    assert shown == ("[t - x == 0 && x == 1]" if between == "t := t + 1" else "[t - x == 0]")


def test_a_constant_counts_only_if_it_does_on_all_paths() -> None:
    body = "0: t := 1 -> 1\n0: t := 2 -> 1\n1: [x - t == 0] -> 1\n1: [y - t != 0] -> 9\n"
    assert "t" in _shown(body)[2]


def test_guards_over_locals_alone_stay() -> None:
    assert _shown("0: t := 1 -> 1\n1: [t - u == 0] -> 9\n")[1] == "[t - u == 0]"
