"""Which templates are ONE: one spawn command, on no cycle, in a template that is ONE."""

from __future__ import annotations

import pytest

from duet.plip.multiplicity import multiplicities
from duet.plip.parser import parse_program


@pytest.mark.parametrize(
    ("main", "expected"),
    [
        ("spawn T", "ONE"),
        ("spawn T spawn T", "MANY"),
        ("while (*) { spawn T }", "MANY"),
        ("choose { spawn T } or { }", "ONE"),
        ("choose { spawn T } or { spawn T }", "MANY"),
        ("while (*) { choose { spawn T break } or { g := 1 } }", "ONE"),
        ("while (*) { g := 1 } spawn T while (*) { g := 2 }", "ONE"),
        ("spawn U", "ONE"),
        ("spawn U spawn U", "MANY"),
        ("spawn R", "MANY"),
    ],
)
def test_multiplicity_of_a_template(main: str, expected: str) -> None:
    text = f"global g = 0 thread main {{ {main} }} thread T {{ g := 1 }} "
    if "spawn U" in main:
        text += "thread U { spawn T }"
    if "spawn R" in main:
        text += "thread R { choose { spawn R } or { } spawn T }"
    program = parse_program(text)
    assert multiplicities(program)["T"] == expected


def test_main_is_one_unless_something_spawns_it() -> None:
    program = parse_program("thread main { spawn main }")
    assert multiplicities(program)["main"] == "MANY"
