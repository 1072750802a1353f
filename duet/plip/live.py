"""Which of its own cells a thread may still read at a location: the others may as well hold 0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from datalog.bitset import bits
from duet.plip.syntax import Instruction, Program, Spawn, steps
from duet.plip.touched import reads, writes


def live_cells(program: Program, places: Iterable[int] | None = None) -> Mapping[int, frozenset[str]]:
    """For each location, or some `places`, the thread's own cells that some way from there reads before it writes them.

    A summary cell counts as never overwritten.
    """
    own = [name for name, cell in program.cells.items() if cell.template is not None]
    bit = {name: 1 << number for number, name in enumerate(own)}
    kept = {name for name, cell in program.cells.items() if cell.summary}
    changes = [_changes(command.instruction, bit, kept) for command in program.commands]
    live = dict.fromkeys(program.template_of, 0)
    work = sorted(live)
    waiting = set(work)
    while work:
        location = work.pop()
        waiting.discard(location)
        found = 0
        for index in program.outgoing[location]:
            after = live[program.commands[index].target]
            for written, read in changes[index]:
                after = after & ~written | read
            found |= after
        if found != live[location]:
            live[location] = found
            sources = {program.commands[index].source for index in program.incoming[location]} - waiting
            waiting |= sources
            work += sorted(sources)
    return {
        place: frozenset(own[number] for number in bits(live[place])) for place in (live if places is None else places)
    }


def _changes(instruction: Instruction, bit: Mapping[str, int], kept: set[str]) -> list[tuple[int, int]]:
    """The cells that each step overwrites, and those that it reads, as bits, the last step first."""
    found = []
    for step in reversed(steps(instruction)):
        written = frozenset[str]() if isinstance(step, Spawn) else writes(step) - kept  # of another thread there
        found.append((_bits(written, bit), _bits(reads(step), bit)))
    return found


def _bits(cells: Iterable[str], bit: Mapping[str, int]) -> int:
    return sum(bit.get(cell, 0) for cell in cells)
