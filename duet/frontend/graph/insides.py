"""Accesses behind others through the same pointer: where a check of these has held, one of fewer bytes holds, too.

Behind a check that bytes are inside of the object that a pointer leads to, and until the pointer is written, they are:
what it leads to has the same size for as long as it is there. What is known goes along all ways through the code of a
thread, and along copies of the pointer. Bytes between some that are inside of one object are inside, as well.

*Source*: R. Gupta, "Optimizing array bound checks using flow analysis", 1993, in the case of constant offsets.
*Requires*: a pointer that is followed leads to an object that is still there. *Approximates*: under.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from duet.frontend.graph.reach import following, known_on_all_ways
from duet.plip.syntax import TRUE, Assert, Assign, Cell, Command, Instruction, Linear
from duet.plip.touched import writes

PATIENCE = 8
"""How often what is known behind a pointer may become less at a location: in a loop that moves it, a byte each time."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Bytes from `first` to in front of `end` behind where the pointer in a cell leads."""

    cell: str
    first: int
    end: int

    def is_in(self, known: _Known) -> bool:
        """Whether all of them are inside of the object."""
        first, end = known.bytes.get(self.cell, (0, 0))
        return first <= self.first and self.end <= end


@dataclass(frozen=True, slots=True)
class _Known:
    """By the cells that hold pointers: which bytes behind these are inside of one object."""

    bytes: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    shrunk: Mapping[str, int] = field(default_factory=dict, compare=False)
    """How often they have become fewer where ways meet."""

    def common(self, other: _Known) -> _Known:
        """What is known on the ways so far and on another one; nothing of what became less too often."""
        both = {cell: _overlap(self.bytes[cell], other.bytes[cell]) for cell in self.bytes if cell in other.bytes}
        shrunk = {cell: self.shrunk.get(cell, 0) + 1 for cell, found in both.items() if found != self.bytes[cell]}
        kept = {cell: it for cell, it in both.items() if it[0] < it[1] and shrunk.get(cell, 0) <= PATIENCE}
        return _Known(kept, {**self.shrunk, **shrunk})

    def and_inside(self, new: Stretch) -> _Known:
        """What is known where more bytes are inside of the object."""
        first, end = self.bytes.get(new.cell, (new.first, new.end))
        return _Known({**self.bytes, new.cell: (min(first, new.first), max(end, new.end))})

    def behind(self, instruction: Instruction) -> _Known:
        """What is known when cells were written."""
        changed = writes(instruction)
        kept = {cell: found for cell, found in self.bytes.items() if cell not in changed}
        match instruction:
            case Assign(target, Linear(((source, 1),), moved)) if source in self.bytes:
                first, end = self.bytes[source]
                kept[target] = first - moved, end - moved
        return self if kept == self.bytes else _Known(kept)


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return max(one[0], other[0]), min(one[1], other[1])


def without_repeated(
    commands: Sequence[Command], entry: int, checked: Mapping[int, Stretch], cells: Mapping[str, Cell]
) -> list[Command]:
    """The commands of a template, in which checks hold that others have decided; `checked` are those, by location.

    Only cells that no other thread writes, and that stand for one variable, tell of pointers.
    """
    own = {
        place: stretch
        for place, stretch in checked.items()
        if cells[stretch.cell].template is not None and not cells[stretch.cell].summary
    }
    if not own:
        return list(commands)
    outgoing: dict[int, list[Command]] = defaultdict(list)
    for command in commands:
        outgoing[command.source].append(command)

    def behind(location: int, known: _Known) -> Iterator[tuple[int, _Known]]:
        for command in outgoing[location]:
            after = known.behind(command.instruction)
            if location in own and isinstance(command.instruction, Assert) and command.instruction.stops:
                after = after.and_inside(own[location])
            yield command.target, after

    found = known_on_all_ways(entry, _Known(), behind, following(outgoing))
    return [
        replace(command, instruction=replace(command.instruction, condition=TRUE))
        if isinstance(command.instruction, Assert)
        and (stretch := own.get(command.source)) is not None
        and command.source in found
        and stretch.is_in(found[command.source])
        else command
        for command in commands
    ]
