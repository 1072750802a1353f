"""Own cells that certainly differ by a constant at a location, as one was set to the other on the only way there.

expected = old; wanted = old + 1; ... compare_exchange(&n, expected, wanted)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from duet.plip.syntax import (
    Assign,
    Atom,
    Compute,
    Guard,
    Instruction,
    Linear,
    Operation,
    Program,
    Relation,
    steps,
)
from duet.plip.touched import writes


@dataclass(frozen=True, slots=True)
class Differs:
    """An own cell is `by` more than another one, if wraps change nothing: of so much more than that one to ranges."""

    of: str
    by: int
    wraps: tuple[tuple[int, int, int], ...] = ()


def differences(program: Program, location: int) -> Mapping[str, Differs]:
    """The own cells that were set to another one, give or take a constant, on the only way to a location, with these.

    Neither was set since, so that they still differ by as much: nobody else sets the cells of a thread. What a command
    computes may be told by a guard of it.
    """
    found: dict[str, Differs] = {}
    written: set[str] = set()
    entry, seen = program.templates[program.template_of[location]].entry, {location}
    while location != entry and len(program.incoming[location]) == 1:
        command = program.commands[program.incoming[location][0]]
        done = steps(command.instruction)
        computed = {step.target for step in done if isinstance(step, Compute)}
        for step in reversed(done):
            for target, copied in _told(step, computed) if isinstance(step, Guard) else _set_to(step):
                if written.isdisjoint((target, copied.of)) and _are_own(program, target, copied.of):
                    found.setdefault(target, copied)
            written |= writes(step)
        location = command.source
        if location in seen:
            break
        seen.add(location)
    return {cell: _followed(found, cell) for cell in found}


def _set_to(step: Instruction) -> Iterator[tuple[str, Differs]]:
    """The cell that a step sets to another one, give or take a constant, with that one."""
    match step:
        case Assign(target, Linear(((source, 1),), by)) if target != source:
            yield target, Differs(source, by)
        case Compute(target, Operation.WRAP, (Linear(((source, 1),), by), Linear((), lo), Linear((), hi))):
            if target != source:
                yield target, Differs(source, by, ((by, lo, hi),))
        case _:
            return


def _told(guard: Guard, computed: AbstractSet[str]) -> Iterator[tuple[str, Differs]]:
    """The cells that were computed and that a guard says are another one, give or take a constant, with that one."""
    match guard.condition:
        case Atom(Linear(((one, factor), (other, opposite)), by), Relation.EQ) if {factor, opposite} == {1, -1}:
            for target, source, sign in ((one, other, factor), (other, one, opposite)):
                if target in computed and source not in computed:
                    yield target, Differs(source, -sign * by)
        case _:
            return


def _are_own(program: Program, *cells: str) -> bool:
    return all(program.cells[cell].is_own for cell in cells)


def _followed(copies: Mapping[str, Differs], cell: str) -> Differs:
    """The cell that one goes back to, and what it is more than that: a copy is set behind what it copies."""
    found = copies[cell]
    while found.of in copies:
        before = copies[found.of]
        moved = tuple((by + before.by, lo, hi) for by, lo, hi in found.wraps)
        found = Differs(before.of, found.by + before.by, (*moved, *before.wraps))
    return found
