"""Accesses behind others through the same pointer: where a check of these has held, one of no more holds, too.

Behind a check that bytes are inside of the object that a pointer leads to, and until the pointer is written, they are:
what it leads to has the same size for as long as it is there. A pointer that is not null is not null until it is
written. What is known goes along all ways through the code of a thread, and along copies of the pointer. Bytes between
some that are inside of one object are inside, as well.

*Source*: R. Gupta, "Optimizing array bound checks using flow analysis", 1993, in the case of constant offsets.
*Requires*: a pointer that is followed leads to an object that is still there. *Approximates*: under.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from duet.frontend.graph.reach import following, known_on_all_ways
from duet.frontend.graph.returns import Returns
from duet.plip.syntax import (
    TRUE,
    And,
    Assert,
    Assign,
    Atom,
    Cell,
    Command,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Linear,
    Or,
    Relation,
)
from duet.plip.touched import writes


@dataclass(frozen=True, slots=True)
class Stretch:
    """Bytes from `first` to in front of `end` behind where the pointer in a cell leads, which are accessed.

    A check of them may ask for more, for all bytes from and to where those `around` them are.
    """

    cell: str
    first: int
    end: int
    around: tuple[int, int] | None = None

    def is_in(self, known: _Known) -> bool:
        """Whether all of them are inside of the object."""
        first, end = known.bytes.get(self.cell, (0, 0))
        return first <= self.first and self.end <= end


@dataclass(frozen=True, slots=True)
class _Known:
    """By the cells that hold pointers: which bytes behind these are inside of one object.

    `other` are values that cells do not have, so many more than 0.
    """

    bytes: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    other: frozenset[tuple[str, int]] = frozenset()

    def common(self, other: _Known) -> _Known:
        """What is known on two ways."""
        both = {cell: _overlap(self.bytes[cell], other.bytes[cell]) for cell in self.bytes if cell in other.bytes}
        return _Known({cell: found for cell, found in both.items() if found[0] < found[1]}, self.other & other.other)

    def and_kept(self, before: _Known, written: Set[str]) -> _Known:
        """What is known here and, of cells that were not written since, was before."""
        kept = {cell: found for cell, found in before.bytes.items() if cell not in written}
        for cell, found in self.bytes.items():
            first, end = kept.get(cell, found)
            kept[cell] = min(first, found[0]), max(end, found[1])
        return _Known(kept, self.other.union(fact for fact in before.other if fact[0] not in written))

    def and_inside(self, new: Stretch) -> _Known:
        """What is known behind a check of bytes, which is not asked if they are known to be inside of the object."""
        if new.is_in(self):
            return self
        asked = new.around or (new.first, new.end)
        first, end = self.bytes.get(new.cell, asked)
        return replace(self, bytes={**self.bytes, new.cell: (min(first, asked[0]), max(end, asked[1]))})

    def where(self, condition: Formula, own: Container[str]) -> _Known:
        """What is known where a condition holds."""
        parts = condition.parts if isinstance(condition, And) else (condition,)
        found = {fact for part in parts for fact in _excluded(part) if fact[0] in own}
        return self if found <= self.other else replace(self, other=self.other | found)

    def decides(self, condition: Formula) -> bool:
        """Whether a condition holds since some cell does not have a value."""
        parts = condition.parts if isinstance(condition, Or) else (condition,)
        return any(fact in self.other for part in parts for fact in _excluded(part) if _is_other(part))

    def behind(self, instruction: Instruction, own: Container[str]) -> _Known:
        """What is known when cells were written."""
        changed = writes(instruction)
        kept = {cell: found for cell, found in self.bytes.items() if cell not in changed}
        other = {fact for fact in self.other if fact[0] not in changed}
        match instruction:
            case Assign(target, Linear(((source, 1),), moved)):
                if source in self.bytes:
                    first, end = self.bytes[source]
                    kept[target] = first - moved, end - moved
                if target in own:
                    other |= {(target, value + moved) for cell, value in self.other if cell == source}
            case Assign(target, Linear((), value)) if target in own and value:
                other.add((target, 0))
            case Havoc(target, int(low), _) if target in own and low > 0:
                other.add((target, 0))
        return self if kept == self.bytes and other == self.other else _Known(kept, frozenset(other))


def _excluded(condition: Formula) -> Iterator[tuple[str, int]]:
    """A cell and a value that it does not have where a condition holds."""
    match condition:
        case Atom(Linear(((cell, 1),), moved), Relation.NE):
            yield cell, -moved
        case Atom(Linear(((cell, -1),), least), Relation.LE) if least > 0:
            yield cell, 0


def _is_other(condition: Formula) -> bool:
    """Whether a condition is that a number is none."""
    return isinstance(condition, Atom) and condition.relation is Relation.NE


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return max(one[0], other[0]), min(one[1], other[1])


def without_repeated(
    commands: Sequence[Command], entry: int, checked: Mapping[int, Stretch], cells: Mapping[str, Cell], returns: Returns
) -> list[Command]:
    """The commands of a template, in which checks hold that others have decided.

    `checked` are those of bytes inside of objects, by location. Only cells that no other thread writes, and that stand
    for one variable, tell of pointers.
    """
    own = frozenset(name for name, cell in cells.items() if cell.template is not None and not cell.summary)
    outgoing: dict[int, list[Command]] = defaultdict(list)
    for command in commands:
        outgoing[command.source].append(command)

    def behind(location: int, known: _Known) -> Iterator[tuple[int, _Known]]:
        for command in outgoing[location]:
            if returns.is_return(command):
                continue
            after = known.behind(command.instruction, own)
            match command.instruction:
                case Guard(condition):
                    after = after.where(condition, own)
                case Assert(condition, stops=True):
                    after = after.where(condition, own)
                    if (stretch := checked.get(location)) is not None and stretch.cell in own:
                        after = after.and_inside(stretch)
                case _:
                    pass
            yield command.target, after

    found = known_on_all_ways(entry, _Known(), behind, following(outgoing), returns.behind)

    def is_decided(command: Command) -> bool:
        known = found.get(command.source)
        if known is None or not isinstance(command.instruction, Assert):
            return False
        stretch = checked.get(command.source)
        return known.decides(command.instruction.condition) or (stretch is not None and stretch.is_in(known))

    return [
        replace(command, instruction=replace(command.instruction, condition=TRUE))
        if isinstance(command.instruction, Assert) and is_decided(command)
        else command
        for command in commands
    ]
