"""Which of its own cells a thread may still read at a location: the others may as well hold 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from duet.plip.syntax import (
    Assert,
    Assign,
    Atomic,
    Compute,
    Guard,
    Havoc,
    Instruction,
    Join,
    Lookup,
    Program,
    Spawn,
)
from duet.plip.terms import formula_cells, term_cells


def live_cells(program: Program) -> Mapping[int, frozenset[str]]:
    """For each location the cells of the thread itself that some way from there reads before it writes them.

    A summary cell counts as never overwritten.
    """
    found: dict[int, frozenset[str]] = {location: frozenset() for location in program.template_of}
    work = list(found)
    while work:
        location = work.pop()
        live = frozenset[str]()
        for index in program.outgoing[location]:
            command = program.commands[index]
            live |= _before(program, command.instruction, found[command.target])
        if live != found[location]:
            found[location] = live
            work += [program.commands[index].source for index in program.incoming[location]]
    return found


def _before(program: Program, instruction: Instruction, after: frozenset[str]) -> frozenset[str]:
    """The cells that are live in front of an instruction."""
    live = set(after)
    for reads, write in reversed(list(_accesses(instruction))):
        if write is not None and not program.cells[write].summary:
            live.discard(write)
        live |= {cell for cell in reads if program.cells[cell].template is not None}
    return frozenset(live)


def _accesses(instruction: Instruction) -> Iterator[tuple[frozenset[str], str | None]]:
    """What each step reads, and writes if it does, in order."""
    match instruction:
        case Atomic(parts):
            for part in parts:
                yield from _accesses(part)
        case Guard(condition) | Assert(condition):
            yield formula_cells(condition), None
        case Assign(target, value):
            yield term_cells(value), target
        case Havoc(target):
            yield frozenset(), target
        case Compute(target, _, arguments):
            yield frozenset[str]().union(*map(term_cells, arguments)), target
        case Lookup(target, _, index):
            yield term_cells(index), target
        case Spawn(_, arguments):
            yield frozenset[str]().union(*(term_cells(value) for _, value in arguments)), None
        case Join():
            pass
