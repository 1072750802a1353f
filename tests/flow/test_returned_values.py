"""What is known behind calls of shared bodies holds in executions that come back where they called."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias
from unittest.mock import patch

import pytest

from duet.coarsen.analysis import analyse
from duet.flow.returned import Returned
from duet.options import AnalysisOptions
from duet.plip.returns import call_of
from duet.plip.syntax import Assert, Command, Program, Spawn, steps
from duet.plip.terms import compare, constant, variable
from duet.result import Check
from tests.plip.shared_bodies import CELLS, after_steps, random_program

DEPTH, VALUES = 3, range(3)
COUNT, ENOUGH = 40, 400
KINDS = {"one entry": (1, False), "two entries": (2, False), "with another thread": (2, True)}

_State: TypeAlias = tuple[tuple[int, tuple[int, ...]], int, dict[str, int]]
"""Where the first thread is, with the calls that it is in; where the other one is, or -1; what the cells hold."""


def _executed(program: Program) -> Mapping[tuple[int, str], set[int]]:
    """By location and cell the values that a thread may find there."""
    main, other = program.templates["main"], program.templates.get("other")
    work: list[_State] = [((main.entry, ()), -1, dict.fromkeys(CELLS, 0))]
    seen, found = set[object](), defaultdict[tuple[int, str], set[int]](set)
    while work:
        (place, calls), beside, store = work.pop()
        for cell, value in store.items():
            found[place, cell].add(value)
            if beside >= 0 and cell == "g":
                found[beside, cell].add(value)
        nexts: list[_State] = []
        for index in program.outgoing[place]:
            instruction, target = program.commands[index].instruction, program.commands[index].target
            if isinstance(instruction, Spawn):
                assert other is not None
                nexts += [((target, calls), other.entry, store)] if beside < 0 else []
                continue
            number = call_of(instruction)
            if number < 0 and -number not in calls:
                continue
            inner: tuple[int, ...] = (*calls, number) if number > 0 else calls
            if number < 0:  # out of a body by a jump: behind a call further out
                inner = calls[: len(calls) - 1 - calls[::-1].index(-number)]
            if len(inner) <= DEPTH:
                nexts += [((target, inner), beside, after) for after in after_steps(store, steps(instruction))]
        for index in program.outgoing[beside] if beside >= 0 else ():
            command = program.commands[index]
            after = after_steps(store, steps(command.instruction))
            nexts += [((place, calls), command.target, it) for it in after]
        for state in nexts:
            key = (*state[:2], *state[2].values())
            if key not in seen:
                seen.add(key)
                work.append(state)
    return found


def _lost(seed: int, entries: int, with_other: bool) -> list[str]:
    """What an analysis says that cells never hold somewhere, and they do."""
    program = random_program(seed, entries, with_other)
    asked = [
        (place, cell, value)
        for place, template in sorted(program.template_of.items())
        for cell in (CELLS if template == "main" else ("g",))
        for value in VALUES
    ]
    asserts = [
        Assert(compare(variable(cell), "!=", constant(value)), _check(*it), False)
        for it in asked
        for _, cell, value in (it,)
    ]
    commands = [Command(place, found, place) for (place, _, _), found in zip(asked, asserts, strict=True)]
    templates = {
        name: replace(
            template,
            commands=(
                *template.commands,
                *(n for n, it in enumerate(commands, len(program.commands)) if program.template_of[it.source] == name),
            ),
        )
        for name, template in program.templates.items()
    }
    asking = replace(program, commands=(*program.commands, *commands), templates=templates)
    known = analyse(asking, AnalysisOptions(domain="interval", refine=False))
    executed = _executed(program)
    return [
        f"{place} {cell} {value}"
        for place, cell, value in asked
        if value in executed.get((place, cell), ()) and known.status_of(_check(place, cell, value)).is_safe
    ]


def _check(place: int, cell: str, value: int) -> Check:
    return Check("a.c", place + 1, value + 1, cell, "assertion", f"{cell} != {value}")


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_known_behind_calls_is_so(kind: str) -> None:
    for seed in range(COUNT):
        assert _lost(seed, *KINDS[kind]) == [], seed


def _asked_by_all(self: Returned, modified: Sequence[int], written: Sequence[int]) -> list[int]:
    return [found & ~really & self._every for found, really in zip(modified, written, strict=True)]


DEFECTS = {
    "others-write-nothing": ("with another thread", Returned, "_asked", _asked_by_all),
    "nothing-passes": ("one entry", Returned, "is_passing", lambda *_: False),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_seeded_defects_are_noticed(name: str) -> None:
    kind, owner, rule, wrong = DEFECTS[name]
    with patch.object(owner, rule, wrong):
        assert any(_lost(seed, *KINDS[kind]) for seed in range(ENOUGH))
