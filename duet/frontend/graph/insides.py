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
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from duet.frontend.graph.alone import Own
from duet.frontend.graph.reach import by_source, following, known_on_all_ways, reached
from duet.frontend.graph.returns import Returns, SharedCall
from duet.plip.syntax import (
    TRUE,
    And,
    Assert,
    Assign,
    Atom,
    Command,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Linear,
    Or,
    Relation,
)
from duet.plip.touched import reads

_MUCH = 40
"""So many facts at one location are looked through for those that nobody asks for any more."""

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
        return any(
            first <= self.first + moved and self.end + moved <= end
            for cell, moved in known.same(self.cell)
            for first, end in (known.bytes.get(cell, (0, 0)),)
        )


@dataclass(frozen=True, slots=True)
class _Known:
    """By the cells that hold pointers: which bytes behind these are inside of one object.

    `other` are values that cells do not have. `copies` are cells that are others, each moved by so much.
    """

    bytes: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    other: frozenset[tuple[str, int]] = frozenset()
    copies: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    shrunk: Mapping[str, int] = field(default_factory=dict, compare=False)
    """How often the bytes have become fewer where ways meet."""

    def common(self, other: _Known) -> _Known:
        """What is known on the ways so far and on another one; nothing of what became less too often."""
        known, shrunk = self.bytes, self.shrunk
        if known != other.bytes:
            both = {cell: _overlap(known[cell], other.bytes[cell]) for cell in known if cell in other.bytes}
            less = {cell: shrunk.get(cell, 0) + 1 for cell, found in both.items() if found != known[cell]}
            known = {cell: it for cell, it in both.items() if it[0] < it[1] and less.get(cell, 0) <= PATIENCE}
            shrunk = {**shrunk, **less}
        copies = self.copies
        if copies != other.copies:
            copies = {cell: copied for cell, copied in copies.items() if other.copies.get(cell) == copied}
        return _Known(known, self.other & other.other, copies, shrunk)

    def without(self, written: Set[str]) -> _Known:
        """What is known when cells were written."""
        if not written:
            return self
        return _Known(
            {cell: found for cell, found in self.bytes.items() if cell not in written},
            frozenset(fact for fact in self.other if fact[0] not in written),
            {cell: found for cell, found in self.copies.items() if cell not in written and found[0] not in written},
        )

    def for_reads(self, location: int, last: Mapping[str, int]) -> _Known:
        """What is known but of temporaries that are read last in front of a location, where much is known."""
        names = {*self.bytes, *self.copies, *(cell for cell, _ in self.other)} if self._size() > _MUCH else ()
        return self.without({name for name in names if name.startswith("$") and last.get(name, -1) < location})

    def _size(self) -> int:
        return len(self.bytes) + len(self.copies) + len(self.other)

    def and_kept(self, before: _Known, written: Set[str]) -> _Known:
        """What is known here and, of cells that were not written since, was before."""
        kept = before.without(written)
        found = dict(kept.bytes)
        for cell, (first, end) in self.bytes.items():
            found[cell] = _both(found.get(cell, (first, end)), (first, end))
        return _Known(found, self.other | kept.other, {**kept.copies, **self.copies})

    def and_inside(self, new: Stretch) -> _Known:
        """What is known behind a check of bytes, which is not asked if they are known to be inside of the object."""
        if new.is_in(self):
            return self
        found = dict(self.bytes)
        for cell, moved in self.same(new.cell):
            asked = new.first + moved, new.end + moved
            found[cell] = _both(found.get(cell, asked), asked)
        return replace(self, bytes=found)

    def where(self, condition: Formula, own: Container[str]) -> _Known:
        """What is known where a condition holds."""
        parts = condition.parts if isinstance(condition, And) else (condition,)
        excluded = [fact for part in parts for fact in _excluded(part) if fact[0] in own]
        found = {(cell, value - moved) for name, value in excluded for cell, moved in self.same(name)}
        return self if found <= self.other else replace(self, other=self.other | found)

    def same(self, cell: str) -> Iterator[tuple[str, int]]:
        """The cell itself and the one that it is a copy of, with by how much it was moved."""
        yield cell, 0
        if cell in self.copies:
            yield self.copies[cell]

    def decides(self, condition: Formula) -> bool:
        """Whether a condition holds since some cell does not have a value."""
        return any(
            (cell, value - moved) in self.other
            for part in _others(condition)
            for name, value in _excluded(part)
            for cell, moved in self.same(name)
        )

    def behind(self, instruction: Instruction, own: Container[str], changed: Set[str]) -> _Known:
        """What is known when cells were written, of cells that are its own."""
        kept = self.without(changed)
        match instruction:
            case Assign(target, Linear(((source, 1),), moved)) if target in own and source in own:
                root, further = self.copies.get(source, (source, 0))
                found = dict(kept.bytes)
                if source in self.bytes:
                    first, end = self.bytes[source]
                    found[target] = first - moved, end - moved
                return _Known(
                    found,
                    kept.other.union((target, value + moved) for cell, value in self.other if cell == source),
                    {**kept.copies, target: (root, further + moved)} if root not in changed else kept.copies,
                )
            case Assign(target, Linear((), value)) if target in own and value:
                return replace(kept, other=kept.other | {(target, 0)})
            case Havoc(target, int(low), _) if target in own and low > 0:
                return replace(kept, other=kept.other | {(target, 0)})
            case _:
                return kept


def _excluded(condition: Formula) -> Iterator[tuple[str, int]]:
    """A cell and a value that it does not have where a condition holds."""
    match condition:
        case Atom(Linear(((cell, 1),), moved), Relation.NE):
            yield cell, -moved
        case Atom(Linear(((cell, -1),), least), Relation.LE) if least > 0:
            yield cell, 0


def _others(condition: Formula) -> Iterator[Formula]:
    """The parts of a condition, one of which suffices, that say that a number is none."""
    parts = condition.parts if isinstance(condition, Or) else (condition,)
    return (part for part in parts if isinstance(part, Atom) and part.relation is Relation.NE)


def _both(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return min(one[0], other[0]), max(one[1], other[1])


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return max(one[0], other[0]), min(one[1], other[1])


def _asked(commands: Iterable[Command], checked: Mapping[int, Stretch]) -> frozenset[str]:
    """The cells that a check may be decided by, and those that are copies of one, or it of them, at some place."""
    copies: dict[str, set[str]] = defaultdict(set)
    starts = {stretch.cell for stretch in checked.values()}
    for command in commands:
        match command.instruction:
            case Assign(target, Linear(((source, 1),), _)):
                copies[target].add(source)
                copies[source].add(target)
            case Assert(condition):
                starts.update(name for part in _others(condition) for name, _ in _excluded(part))
            case _:
                pass
    return frozenset(reached(sorted(starts), lambda cell: copies.get(cell, ())))


def without_repeated(
    commands: Sequence[Command], entry: int, checked: Mapping[int, Stretch], own: Own, calls: Iterable[SharedCall]
) -> list[Command]:
    """The commands of a template, in which checks hold that others have decided.

    `checked` are those of bytes inside of objects, by location. Only cells that no other thread writes, and that stand
    for one variable, tell of pointers.
    """
    outgoing = by_source(commands)
    asked = _asked(commands, checked)
    own = own.only(asked)
    returns = Returns(commands, calls, own.changed)
    touching = {
        id(command)
        for command in commands
        if command.source in checked
        or not asked.isdisjoint(reads(command.instruction))
        or not asked.isdisjoint(own.changed(command.instruction))
    }

    def behind(location: int, known: _Known) -> Iterator[tuple[int, _Known]]:
        here = own.at(location)
        for command in outgoing[location]:
            if returns.is_return(command):
                continue
            if id(command) not in touching:
                yield command.target, known
                continue
            after = known.behind(command.instruction, here, own.changed(command.instruction))
            match command.instruction:
                case Guard(condition):
                    after = after.where(condition, here)
                case Assert(condition, stops=True):
                    after = after.where(condition, here)
                    if (stretch := checked.get(location)) is not None and stretch.cell in here:
                        after = after.and_inside(stretch)
                case _:
                    pass
            yield command.target, after.for_reads(command.target, last)

    last: dict[str, int] = {}
    for command in commands:
        last.update((name, max(command.source, last.get(name, -1))) for name in reads(command.instruction))
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
