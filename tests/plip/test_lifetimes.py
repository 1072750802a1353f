"""Which threads have certainly been started or have ended."""

from __future__ import annotations

import pytest

from duet.plip.lifetimes import lifetimes
from duet.plip.parser import parse_program


def _at_the_end(main: str, others: str = "") -> tuple[set[str], set[str]]:
    program = parse_program(f"global g = 0 thread main {{ {main} }} thread T {{ g := 1 }} {others}")
    found = lifetimes(program)[program.templates["main"].exit]
    return set(found.begun), set(found.ended)


@pytest.mark.parametrize(
    ("main", "begun", "ended"),
    [
        ("g := 1", {"main"}, set()),
        ("spawn T", {"main", "T"}, set()),
        ("spawn T join T", {"main", "T"}, {"T"}),
        ("choose { spawn T } or { }", {"main"}, set()),
        ("spawn T choose { join T } or { }", {"main", "T"}, set()),
        ("spawn T choose { join T } or { join T }", {"main", "T"}, {"T"}),
        ("spawn T spawn T join T", {"main", "T"}, set()),  # which one has ended is not known
        ("while (*) { spawn T join T }", {"main"}, set()),
    ],
)
def test_of_main(main: str, begun: set[str], ended: set[str]) -> None:
    assert _at_the_end(main) == (begun, ended)


def test_who_has_ended_is_known_through_others() -> None:
    begun, ended = _at_the_end("spawn U join U", "thread U { spawn T join T }")
    assert begun == ended | {"main"} == {"main", "T", "U"}


def test_a_child_knows_what_its_parent_had_started() -> None:
    program = parse_program("thread main { spawn T spawn U } thread T { skip } thread U { skip }")
    found = lifetimes(program)
    assert found[program.templates["U"].entry].begun == {"main", "T", "U"}
    assert found[program.templates["T"].entry].begun == {"main", "T"}
