"""Accesses behind others through the same pointer: where a check of these has held, one of no more holds, too.

Behind a check that bytes are inside of the object that a pointer leads to, and until the pointer is written, they are:
what it leads to has the same size for as long as it is there. A pointer that is not null is not null until it is
written. What is known goes along all ways through the code of a thread, and along copies of the pointer. Bytes between
some that are inside of one object are inside, as well. So are those that library functions have found.

A string that only the thread can reach is one until something may be written where it is. Of what bodies that calls
share leave of it nothing is known.

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
class Text:
    """A string that ends, so many bytes behind where the pointer in a cell leads, or anywhere in an array by its key.

    It lies in one of the objects with the keys `around`.
    """

    start: str
    moved: int
    around: frozenset[str]

    def is_in(self, known: _Known) -> bool:
        """Whether it is known to end."""
        return any((cell, self.moved + moved) in known.texts for cell, moved in known.same(self.start))


@dataclass
class Noted:
    """What lowering notes, by location or by the ends of a step: checks of bytes and of strings, and what writes them.

    `bytes` and `texts` are those of which the check at a location says that they are inside of an object, or end. At
    the locations in `written` some objects may be written, or all. `given` is what is known behind a step.
    """

    bytes: dict[int, Stretch] = field(default_factory=dict)
    texts: dict[int, Text] = field(default_factory=dict)
    written: dict[int, frozenset[str] | None] = field(default_factory=dict)
    given: dict[tuple[int, int], list[Stretch | Text]] = field(default_factory=lambda: defaultdict(list))

    def write(self, location: int, keys: frozenset[str] | None) -> None:
        """Notes that objects may be written at a location: all, if no keys are given."""
        before = self.written.get(location, frozenset())
        self.written[location] = None if keys is None or before is None else before | keys

    def named(self) -> Iterator[str]:
        """The cells whose pointers are asked about."""
        yield from (stretch.cell for stretch in self.bytes.values())
        yield from (text.start for text in self.texts.values())


@dataclass(frozen=True, slots=True)
class _Known:
    """By the cells that hold pointers: which bytes behind these are inside of one object.

    `other` are values that cells do not have. `copies` are cells that are others, each moved by so much. `texts` are
    where strings begin that end, with the keys of the objects in which they are.
    """

    bytes: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    other: frozenset[tuple[str, int]] = frozenset()
    copies: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    texts: Mapping[tuple[str, int], frozenset[str]] = field(default_factory=dict)
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
        texts = self.texts
        if texts != other.texts:
            texts = {start: texts[start] | other.texts[start] for start in texts if start in other.texts}
        return _Known(known, self.other & other.other, copies, texts, shrunk)

    def without(self, written: Set[str]) -> _Known:
        """What is known when cells were written."""
        if not written:
            return self
        return _Known(
            {cell: found for cell, found in self.bytes.items() if cell not in written},
            frozenset(fact for fact in self.other if fact[0] not in written),
            {cell: found for cell, found in self.copies.items() if cell not in written and found[0] not in written},
            {start: around for start, around in self.texts.items() if start[0] not in written},
        )

    def unwritten(self, objects: frozenset[str] | None) -> _Known:
        """What is known when some objects, or all, may have been written."""
        if not self.texts or objects == frozenset():
            return self
        texts = {} if objects is None else {it: keys for it, keys in self.texts.items() if keys.isdisjoint(objects)}
        return replace(self, texts=texts) if len(texts) < len(self.texts) else self

    def for_reads(self, location: int, last: Mapping[str, int]) -> _Known:
        """What is known but of temporaries that are read last in front of a location, where much is known."""
        others = (cell for cell, _ in (*self.other, *self.texts))
        names = {*self.bytes, *self.copies, *others} if self._size() > _MUCH else ()
        return self.without({name for name in names if name.startswith("$") and last.get(name, -1) < location})

    def _size(self) -> int:
        return len(self.bytes) + len(self.copies) + len(self.other) + len(self.texts)

    def and_kept(self, before: _Known, written: Set[str]) -> _Known:
        """What is known here and, of cells that were not written since, was before."""
        kept = before.without(written)
        found = dict(kept.bytes)
        for cell, (first, end) in self.bytes.items():
            found[cell] = _both(found.get(cell, (first, end)), (first, end))
        return _Known(found, self.other | kept.other, {**kept.copies, **self.copies}, self.texts)

    def and_given(self, new: Stretch | Text) -> _Known:
        """What is known where bytes are inside of an object, or a string ends."""
        if isinstance(new, Stretch):
            return self.and_inside(new)
        starts = {(cell, new.moved + moved): new.around for cell, moved in self.same(new.start)}
        return replace(self, texts={**self.texts, **starts})

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
                texts = {(target, at - moved): keys for (cell, at), keys in self.texts.items() if cell == source}
                return _Known(
                    found,
                    kept.other.union((target, value + moved) for cell, value in self.other if cell == source),
                    {**kept.copies, target: (root, further + moved)} if root not in changed else kept.copies,
                    {**kept.texts, **texts} if texts else kept.texts,
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


def _asked(commands: Iterable[Command], noted: Noted) -> frozenset[str]:
    """The cells that a check may be decided by, and those that are copies of one, or it of them, at some place."""
    copies: dict[str, set[str]] = defaultdict(set)
    starts = set(noted.named())
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
    commands: Sequence[Command], entry: int, noted: Noted, own: Own, calls: Iterable[SharedCall]
) -> list[Command]:
    """The commands of a template, in which checks hold that others have decided.

    `noted` are those of bytes inside of objects and of strings. Only cells that no other thread writes, and that stand
    for one variable, tell of pointers.
    """
    outgoing = by_source(commands)
    asked = _asked(commands, noted)
    own = own.only(asked)
    returns = Returns(commands, calls, own.changed)
    touching = {
        id(command)
        for command in commands
        if command.source in noted.bytes
        or command.source in noted.texts
        or (command.source, command.target) in noted.given
        or not asked.isdisjoint(reads(command.instruction))
        or not asked.isdisjoint(own.changed(command.instruction))
    }
    arrays = frozenset(
        text.start for text in (*noted.texts.values(), *_texts_given(noted)) if text.start in text.around
    )

    def is_told(new: Stretch | Text, here: Container[str]) -> bool:
        cell = new.cell if isinstance(new, Stretch) else new.start
        return cell in here or cell in arrays

    def behind(location: int, known: _Known) -> Iterator[tuple[int, _Known]]:
        here = own.at(location)
        known = known.unwritten(noted.written.get(location, frozenset()))
        for command in outgoing[location]:
            if returns.is_return(command):
                continue
            if id(command) not in touching:
                yield command.target, known
                continue
            after = known.behind(command.instruction, here, own.changed(command.instruction))
            new: list[Stretch | Text] = list(noted.given.get((location, command.target), ()))
            match command.instruction:
                case Guard(condition):
                    after = after.where(condition, here)
                case Assert(condition, stops=True):
                    after = after.where(condition, here)
                    new += [table[location] for table in (noted.bytes, noted.texts) if location in table]
                case _:
                    pass
            for one in new:
                after = after.and_given(one) if is_told(one, here) else after
            yield command.target, after.for_reads(command.target, last)

    last: dict[str, int] = {}
    for command in commands:
        last.update((name, max(command.source, last.get(name, -1))) for name in reads(command.instruction))
    found = known_on_all_ways(entry, _Known(), behind, following(outgoing), returns.behind)

    def is_decided(command: Command) -> bool:
        known = found.get(command.source)
        if known is None or not isinstance(command.instruction, Assert):
            return False
        known = known.unwritten(noted.written.get(command.source, frozenset()))
        asks = [table[command.source] for table in (noted.bytes, noted.texts) if command.source in table]
        return known.decides(command.instruction.condition) or any(one.is_in(known) for one in asks)

    return [
        replace(command, instruction=replace(command.instruction, condition=TRUE))
        if isinstance(command.instruction, Assert) and is_decided(command)
        else command
        for command in commands
    ]


def _texts_given(noted: Noted) -> Iterator[Text]:
    return (item for given in noted.given.values() for item in given if isinstance(item, Text))
