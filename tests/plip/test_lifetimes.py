"""Which threads have certainly been started or have ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from unittest.mock import patch

import networkx as nx
import pytest

from duet.certificate import lives
from duet.certificate.lives import over_after, pasts
from duet.plip import lifetimes as module
from duet.plip.lifetimes import Lifetime, awaited, lifetimes
from duet.plip.parser import parse_program
from duet.plip.semantics import Limits, explore
from duet.plip.syntax import Join, Program

NAMES = ("A", "B", "C")
COUNT = 150


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


@pytest.mark.parametrize(
    ("first", "over"),
    [
        ("spawn B join B", {"A", "B"}),
        ("spawn B", {"A"}),
        ("choose { spawn B join B } or { }", {"A", "B"}),
        ("choose { spawn B } or { }", {"A"}),
        ("", {"A"}),
    ],
)
def test_who_is_over_when_a_thread_has_been_joined(first: str, over: set[str]) -> None:
    """B is also started by the second thread, of which there are many, if the first one never does."""
    other = "" if "B" in first else "spawn B"
    program = parse_program(
        f"thread main {{ spawn A  while (*) {{ spawn C }}  join A }}"
        f" thread A {{ {first} }} thread B {{ skip }} thread C {{ {other} }}"
    )
    (found,) = (names for index, names in awaited(program).items() if program.commands[index].instruction == Join("A"))
    assert found == over


def _random(seed: int) -> Program:
    """Threads that start and join each other, on some ways."""
    rng = Random(seed)

    def body(depth: int) -> str:
        return " ".join(statement(depth) for _ in range(rng.choice((0, 1, 2, 2, 3)) - depth))

    def statement(depth: int) -> str:
        name = rng.choice(NAMES)
        kinds = (f"spawn {name}", f"spawn {name} join {name}", f"join {name}", "skip")
        ways = (f"choose {{ {body(1)} }} or {{ {body(1)} }}", f"while (*) {{ {body(1)} }}") if depth == 0 else ()
        return rng.choice(kinds + ways)

    threads = [f"thread {name} {{ skip {body(0)} skip }}" for name in ("main", *NAMES)]
    return parse_program(" ".join(threads), "random.plip")


def _wrong(program: Program) -> Iterator[str]:
    """What is said of the past of a program that an execution refutes."""
    pairs = explore(program, Limits(threads=5, states=3000)).together
    ends = {template.exit for template in program.templates.values()}
    behind: dict[int, frozenset[str]] = {}
    sure, past = lifetimes(program), pasts(program)
    for found in (awaited(program), over_after(program, past)):
        for index, names in found.items():
            target = program.commands[index].target
            if len(program.incoming[target]) == 1:
                behind[target] = behind.get(target, frozenset()) | names
    every = frozenset(program.templates)
    for left, right in {*pairs, *((b, a) for a, b in pairs)} - {(end, end) for end in ends}:
        other = program.template_of[right]
        if right not in ends and other in behind.get(left, frozenset()) | sure[left].idle | (every - past[left].loose):
            yield f"{other} runs at {right} while another thread is at {left}"


def test_nobody_runs_who_is_idle() -> None:
    assert not [seed for seed in range(COUNT) if any(_wrong(_random(seed)))]


def _only_below(spawns: nx.DiGraph[str], _: str, name: str) -> frozenset[str]:
    return frozenset(nx.descendants(spawns, name))


DEFECTS: dict[str, tuple[object, str, object]] = {
    "a-child-knows-what-its-parent-starts-later": (module, "_lasting", lambda known, _: known.idle),
    "nobody-else-leads-there": (module, "_only_through", _only_below),
    "what-one-way-has-joined": (Lifetime, "__and__", Lifetime.__or__),
    "checker-either-way-has-joined": (
        lives,
        "_either",
        lambda left, right: replace(left, loose=left.loose & right.loose),
    ),
    "checker-a-child-is-alone": (lives, "_loose_at_entry", lambda *_: frozenset()),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_seeded_defects_are_noticed(name: str) -> None:
    with patch.object(*DEFECTS[name]):
        assert any(any(_wrong(_random(seed))) for seed in range(COUNT))
