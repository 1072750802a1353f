"""Which of its own cells a thread may still read at a location: the others may as well hold 0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import heappop, heappush

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
    changes = [_change(command.instruction, bit, kept) for command in program.commands]
    live = dict.fromkeys(program.template_of, 0)
    work = [-location for location in sorted(live, reverse=True)]  # mostly those behind a location have higher numbers
    waiting = set(live)
    while work:
        location = -heappop(work)
        waiting.discard(location)
        found = 0
        for index in program.outgoing[location]:
            written, read = changes[index]
            found |= live[program.commands[index].target] & ~written | read
        if found != live[location]:
            live[location] = found
            for source in {program.commands[index].source for index in program.incoming[location]} - waiting:
                waiting.add(source)
                heappush(work, -source)
    return {
        place: frozenset(own[number] for number in bits(live[place])) for place in (live if places is None else places)
    }


def _change(instruction: Instruction, bit: Mapping[str, int], kept: set[str]) -> tuple[int, int]:
    """The cells that an instruction overwrites, and those that it reads before, as bits."""
    overwritten = needed = 0
    for step in steps(instruction):
        written = frozenset[str]() if isinstance(step, Spawn) else writes(step) - kept  # of another thread there
        needed |= _bits(reads(step), bit) & ~overwritten
        overwritten |= _bits(written, bit)
    return overwritten, needed


def _bits(cells: Iterable[str], bit: Mapping[str, int]) -> int:
    return sum(bit.get(cell, 0) for cell in cells)
