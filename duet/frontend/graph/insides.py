"""Accesses behind others through the same pointer: where a check of these has held, one of no more holds, too.

Behind a check that bytes are inside of the object that a pointer leads to, and until the pointer is written, they are:
what it leads to has the same size for as long as it is there. A pointer that is not null is not null until it is
written. What is known goes along all ways through the code of a thread, and along copies of the pointer. Bytes between
some that are inside of one object are inside, as well. So are those that library functions have found.

A string that only the thread can reach is one until something may be written where it is. Of what bodies that calls
share leave of it nothing is known. Nor is it of values in memory: what is read again is what was read before, or what
the thread itself has written there, as long as nothing may be written there since (`rereads`), by other threads
neither, unless these need a lock that the thread holds. So a step that reads may just as well set its cell to the term
of the thread's own cells that has this value, and excludes the values that a condition has excluded. What is known of
memory behind a pointer is known on ways on which that is null, too: nobody reads it there. So is what bytes are inside
of an object and which strings end, for checks where the pointer is known not to be null. A way on which a cell has to
have a value that it does not have is none.

*Source*: R. Gupta, "Optimizing array bound checks using flow analysis", 1993, in the case of constant offsets.
*Requires*: a pointer that is followed leads to an object that is still there. *Approximates*: under.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from functools import reduce
from types import MappingProxyType
from typing import TypeAlias

from duet.frontend.ctypes.types import ADDRESS
from duet.frontend.graph.alone import Own
from duet.frontend.graph.guarded import Guards
from duet.frontend.graph.reach import known_on_all_ways, reached
from duet.frontend.graph.rereads import Names, Region, Reread, Stored, is_name, of_cells
from duet.frontend.graph.returns import Crossing, Returns
from duet.frontend.graph.there import PAGE, is_there, ranges
from duet.plip.syntax import (
    SKIP,
    TRUE,
    And,
    Assert,
    Assign,
    Atom,
    Atomic,
    Command,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Linear,
    Operation,
    Or,
    Relation,
    Spawn,
    steps,
)
from duet.plip.terms import add, compare, conjunction, constant, linear, scale, term_cells, variable
from duet.plip.touched import reads, writes
from duet.records import dataclass

_ADDRESSES = (constant(ADDRESS.lo), constant(ADDRESS.hi))
"""The ends between which a number is wrapped into an address."""

_MUCH = 80
"""So many facts at one location are looked through for those that nobody asks for any more."""

_FEW = 2
"""So many cells in a condition may say what one of them is."""

PATIENCE = 8
"""How often what is known behind a pointer may become less at a location: in a loop that moves it, a byte each time.

And how often it may change otherwise.
"""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Bytes from `first` to in front of `end` behind where a pointer in a cell leads, moved `by` others perhaps."""

    cell: str
    first: int
    end: int
    by: tuple[tuple[str, int], ...] = ()

    @property
    def cells(self) -> Iterator[str]:
        """The cells that say where they are."""
        yield self.cell
        yield from (cell for cell, _ in self.by)

    def named(self, known: _Known, names: Names) -> Stretch:
        """The same bytes, by a name for the sum of the cells if there are several."""
        if not self.by:
            return self
        name, moved = names.of_sum(linear({self.cell: 1, **dict(self.by)}), known.copies)
        return Stretch(name, self.first + moved, self.end + moved)

    def is_in(self, known: _Known) -> bool:
        """Whether all of them are inside of the object."""
        return any(
            first <= self.first + moved and self.end + moved <= end
            for cell, moved in known.same(self.cell)
            for first, end in (known.bytes.get(cell, (0, 0)),)
            if known.holds_of(cell)
        )


@dataclass(frozen=True, slots=True)
class Text:
    """A string that ends, so many bytes behind where the pointer in a cell leads, or anywhere in an array by its key.

    It lies in one of the objects with the keys `around`. With `or_null` there is none behind null.
    """

    start: str
    moved: int
    around: frozenset[str]
    or_null: bool = False

    @property
    def cells(self) -> Iterator[str]:
        """The cell that says where it is, if one does."""
        yield self.start

    def is_in(self, known: _Known) -> bool:
        """Whether it is known to end."""
        return any(
            (cell, self.moved + moved) in known.texts
            and (known.holds_of(cell) or (self.or_null and self.moved == moved == 0))
            for cell, moved in known.same(self.start)
        )


Given: TypeAlias = Stretch | Text | Reread | Stored


@dataclass
class Noted:
    """What lowering notes, by location or by the ends of a step: checks of bytes and of strings, and what writes them.

    `bytes` and `texts` are those of which the check at a location says that they are inside of an object, or end; of
    those that are `limited` it says that so many bytes of them are there, or that they end in front of that. The checks
    at the locations `as_given` hold as long as nothing was written to the strings that the program was given. At
    the locations in `written` some objects may be written, or all, as far as strings are concerned; `changed` are the
    regions that may be written at a location with pointers, with all that steps write that are `told`. `handed` are the
    keys of the objects that calls may write which do not tell of that. `given` is what is known behind a step.
    """

    bytes: dict[int, Stretch] = field(default_factory=dict)
    texts: dict[int, Text] = field(default_factory=dict)
    limited: dict[int, Text] = field(default_factory=dict)
    as_given: set[int] = field(default_factory=set)
    written: dict[int, frozenset[str] | None] = field(default_factory=dict)
    given: dict[tuple[int, int], list[Given]] = field(default_factory=lambda: defaultdict(list))
    changed: dict[int, list[Region]] = field(default_factory=lambda: defaultdict(list))
    told: set[tuple[int, int]] = field(default_factory=set)
    handed: set[str] = field(default_factory=set)

    def write(self, location: int, keys: frozenset[str] | None) -> None:
        """Notes that objects may be written at a location: all, if no keys are given."""
        before = self.written.get(location, frozenset())
        self.written[location] = None if keys is None or before is None else before | keys

    @property
    def is_memory_asked_for(self) -> bool:
        """Whether memory is read that no cell of its own stands for."""
        return any(isinstance(item, Reread) for given in self.given.values() for item in given)

    def named(self) -> Iterator[str]:
        """The cells whose pointers are asked about."""
        yield from (cell for stretch in self.bytes.values() for cell in stretch.cells)
        yield from (text.start for table in (self.texts, self.limited) for text in table.values())


@dataclass(frozen=True, slots=True)
class _Known:
    """By the cells that hold pointers: which bytes behind these are inside of one object.

    `other` are values that cells do not have, `nulls` are those that are 0. `copies` are cells that are others, each
    moved by so much. `there` says what is in memory unless the pointer to it is null: that pointer, and what it is a
    copy of. `texts` are where strings begin that end, with the keys of the objects in which they are. What bytes and
    texts say of the cells `unless_null` is so unless these are null, as they were on some way.
    """

    bytes: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    other: frozenset[tuple[str, int]] = frozenset()
    copies: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    texts: Mapping[tuple[str, int], frozenset[str]] = field(default_factory=dict)
    nulls: frozenset[str] = frozenset()
    there: Mapping[str, tuple[str, tuple[str, int]]] = field(default_factory=dict)
    unless_null: frozenset[str] = frozenset()
    shrunk: Mapping[str, int] = field(default_factory=dict, compare=False)
    """How often the bytes have become fewer where ways meet."""

    def common(self, other: _Known) -> _Known:
        """What is known on the ways so far and on another one; nothing of what became less too often."""
        known, shrunk = self.bytes, self.shrunk
        if known != other.bytes:
            both = {cell: _overlap(known[cell], other.bytes[cell]) for cell in known if cell in other.bytes}
            less = {cell: shrunk.get(cell, 0) + 1 for cell, found in both.items() if found != known[cell]}
            known = {cell: it for cell, it in both.items() if it[0] < it[1] and less.get(cell, 0) <= PATIENCE}
            known |= {cell: self.bytes[cell] for cell in self.bytes.keys() & other.nulls - other.bytes.keys()}
            known |= {cell: other.bytes[cell] for cell in other.bytes.keys() & self.nulls - self.bytes.keys()}
            shrunk = {**shrunk, **less}
        copies = self.copies
        if copies != other.copies:
            copies = {cell: copied for cell, copied in copies.items() if other.copies.get(cell) == copied}
        texts = self.texts
        if texts != other.texts:
            both_end = {start: texts[start] | other.texts[start] for start in texts if start in other.texts}
            texts = {**self._ending_unless_null(other), **other._ending_unless_null(self), **both_end}
        there = {**self._unless_null(other), **other._unless_null(self)}
        vague = self.unless_null | other.unless_null | self.nulls | other.nulls
        unless = vague & {*known, *(cell for cell, _ in texts)} if vague else vague
        return _Known(known, self.other & other.other, copies, texts, self.nulls & other.nulls, there, unless, shrunk)

    def _ending_unless_null(self, other: _Known) -> Mapping[tuple[str, int], frozenset[str]]:
        """The strings that are known to end here, while the pointers to them are null on another way."""
        return {start: it for start, it in self.texts.items() if start[0] in other.nulls} if other.nulls else {}

    def _unless_null(self, other: _Known) -> Mapping[str, tuple[str, tuple[str, int]]]:
        """What is known to be in memory here and, where the pointer to it is not null, on another way."""
        there = self.there
        return {name: it for name, it in there.items() if it[0] in other.nulls or other.there.get(name) == it}

    def without(self, written: Set[str]) -> _Known:
        """What is known when cells were written."""
        if not written:
            return self
        return _Known(
            {cell: found for cell, found in self.bytes.items() if cell not in written},
            frozenset(fact for fact in self.other if fact[0] not in written),
            {cell: found for cell, found in self.copies.items() if cell not in written and found[0] not in written},
            {start: around for start, around in self.texts.items() if start[0] not in written},
            self.nulls - written,
            {name: it for name, it in self.there.items() if written.isdisjoint((name, it[0], it[1][0]))},
            self.unless_null - written,
        )

    def unwritten(self, objects: frozenset[str] | None) -> _Known:
        """What is known when some objects, or all, may have been written."""
        if not self.texts or objects == frozenset():
            return self
        texts = {} if objects is None else {it: keys for it, keys in self.texts.items() if keys.isdisjoint(objects)}
        return replace(self, texts=texts) if len(texts) < len(self.texts) else self

    def changed(self, regions: Iterable[Region], names: Names) -> _Known:
        """What is known when some memory may have been written."""
        based = set().union(*map(names.based, self._named()))
        held = [(name, names.regions[name].at(self.copies)) for name in based if name in names.regions]
        written = [region.at(self.copies) for region in regions] if held else []
        gone = {name for name, region in held if any(region.meets(other) for other in written)}
        return self.without(names.and_depending(gone)) if gone else self

    def for_body(self, cells: Set[str]) -> _Known:
        """What is known of what a body that is called mentions, and of all that is in memory."""
        roots = {root for cell, (root, _) in self.copies.items() if cell in cells}
        alike = {cell for cell, (root, _) in self.copies.items() if root in roots}
        kept = {*cells, *alike, *(root for root, _ in self.copies.values())}
        return self.without({it for it in self._mentioned() if it not in kept and not is_name(it)})

    def for_reads(self, location: int, last: Mapping[str, int], names: Names) -> _Known:
        """What is known but of temporaries that are read last in front of a location, where much is known.

        Those that say what is in memory, or in variables, go last.
        """
        size = self._size()
        if size <= _MUCH:
            return self
        gone = {name for name in self._mentioned() if name.startswith("$") and last.get(name, -1) < location}
        if size <= 10 * _MUCH:
            gone -= {cell for cell, (root, _) in self.copies.items() if is_name(root)}
            gone -= {root for cell, (root, _) in self.copies.items() if not cell.startswith("$")}
            gone -= {cell for name, _ in self.copies.values() for cell, _ in names.sums.get(name, ())}
        return self.without(names.and_depending(gone)) if gone else self

    def _mentioned(self) -> Set[str]:
        """The cells and names of which something is known."""
        cells = (cell for cell, _ in (*self.other, *self.texts, *(copied for _, copied in self.there.values())))
        return {*self.bytes, *self.copies, *self.nulls, *self.there, *cells}

    def _named(self) -> Set[str]:
        """These, and what they are copies of: among them all names."""
        return {*self._mentioned(), *(root for root, _ in self.copies.values())}

    def _size(self) -> int:
        copies = sum(not is_name(cell) for cell in self.copies)
        return len(self.bytes) + copies + len(self.other) + len(self.texts)

    def and_kept(self, before: _Known, written: Set[str]) -> _Known:
        """What is known here and, of cells that were not written since, was before."""
        kept = before.without(written | set(filter(is_name, before._named())))
        found = dict(kept.bytes)
        for cell, (first, end) in self.bytes.items():
            found[cell] = _both(found.get(cell, (first, end)), (first, end))
        unless = self.unless_null | kept.unless_null
        return _Known(found, self.other | kept.other, {**kept.copies, **self.copies}, self.texts, unless_null=unless)

    def and_given(self, new: Given, names: Names) -> _Known:
        """What is known where bytes are inside of an object, a string ends, or a cell holds what was read of memory."""
        if isinstance(new, Stretch):
            return self.and_inside(new.named(self, names), names)
        if isinstance(new, Reread):
            content = names.of_content(new.region.at(self.copies), new.kind)
            known = self._and_equal(new.cell, content)._and_there(content, (new.cell, 0), names)
            return known._and_stored(names.of_content(new.region, new.kind), variable(new.cell), names)
        if isinstance(new, Stored):
            contents = {names.of_content(region, new.kind): None for region in (new.region.at(self.copies), new.region)}
            return reduce(lambda known, content: known._and_stored(content, new.value, names), contents, self)
        starts = {(cell, new.moved + moved): new.around for cell, moved in self.same(new.start)}
        vague = {cell for cell, _ in starts.keys() - self.texts.keys()} if new.or_null else set()
        return replace(self, texts={**self.texts, **starts}, unless_null=self.unless_null | vague)

    def and_inside(self, new: Stretch, names: Names) -> _Known:
        """What is known behind a check of bytes, which is not asked if they are known to be inside of the object."""
        if new.is_in(self):
            return self
        found = dict(self.bytes)
        root, further = self.copies.get(new.cell, (new.cell, 0))
        copies = [(cell, further - moved) for cell, (of, moved) in self.copies.items() if of == root != cell]
        for cell, moved in ((root, further), *copies):
            asked = new.first + moved, new.end + moved
            found[cell] = _both(found.get(cell, asked), asked)
        there = {(cell, 0) for cell, _ in ((root, further), *copies) if is_there(found[cell], (0, 0), names.top)}
        return replace(self, bytes=found, other=self.other | there)

    def _and_equal(self, cell: str, content: str) -> _Known:
        """What is known where a cell, which was just set, has the value of what is in memory."""
        found = {**self.bytes, cell: self.bytes[content]} if content in self.bytes else self.bytes
        unless = self.unless_null | {cell} if content in self.unless_null else self.unless_null
        other = self.other.union((cell, value) for name, value in self.other if name == content)
        copied = self.copies.get(content, (content, 0))
        if (
            copied == (content, 0)
            and content in self.there
            and all(root != content for root, _ in self.copies.values())
        ):
            copied = self.there[content][1]  # it is read: the pointer is not null
        return replace(self, bytes=found, other=other, copies={**self.copies, cell: copied}, unless_null=unless)

    def _and_stored(self, content: str, value: Linear, names: Names) -> _Known:
        """What is known where memory was set to the value of a term."""
        copied = names.of_sum(value, self.copies)
        if content in names.based(copied[0]) or self.copies.get(content) == copied:
            return self
        kept = self.without(names.and_depending({content}))
        if not value.terms and value.constant:
            kept = replace(kept, other=kept.other | {(content, 0)})
        return replace(kept, copies={**kept.copies, content: copied})._and_there(content, copied, names)

    def _and_there(self, content: str, copied: tuple[str, int], names: Names) -> _Known:
        """What is known where memory is a copy of something, to be known of it where it meets a way without that, too.

        There are no objects in the first page, where null leads.
        """
        match names.regions[content].start:
            case Linear(((pointer, 1),), int(moved)) if 0 <= moved < PAGE and content not in self.there:
                if content in names.based(copied[0]):
                    return self
                return replace(self, there={**self.there, content: (pointer, copied)})
            case _:
                return self

    def content(self, content: str, names: Names, own: Container[str]) -> Linear | None:
        """What is in memory that is read, as a term of cells of one's own; None where nothing is known to be it."""
        found = of_cells(content, self.copies, names, own)
        if found is None and content in self.there:
            root, moved = self.there[content][1]
            found = of_cells(root, {**self.copies, root: (root, 0)}, names, own)
            return found if found is None else add(found, constant(moved))
        return found

    def where(self, condition: Formula, own: Container[str], names: Names) -> _Known:
        """What is known where a condition holds."""
        parts = condition.parts if isinstance(condition, And) else (condition,)
        excluded = [fact for part in parts for fact in _excluded(part) if all(cell in own for cell in _cells(fact[0]))]
        found = {fact for term, value in excluded for fact in self._equal(term, value, names)}
        null = {root for part in parts for cell in _null(part) for root, moved in self.same(cell) if not moved}
        nulls = self.nulls.union(cell for cell in null if is_name(cell) or cell in own)
        known = self
        if not found <= self.other or nulls != self.nulls:
            known = replace(self, other=self.other | found, nulls=nulls)
        for part in _equalities(condition, And):
            if all(cell in own for cell in _cells(part.term)):
                known = known._and_same(part.term, names)
        return known

    def _and_same(self, term: Linear, names: Names) -> _Known:
        """What is known where a term is 0: of memory, if it is a cell that was read there less something else."""
        for cell, factor in term.terms:
            content, moved = self.copies.get(cell, (cell, 0))
            if content in names.regions and abs(factor) == 1:
                rest = add(scale(term, -factor), variable(cell))  # the cell's value
                copied = names.of_sum(add(rest, constant(-moved)), self.copies)
                if content not in names.based(copied[0]):
                    there = {name: it for name, it in self.there.items() if name != content}
                    known = replace(self, copies={**self.copies, content: copied}, there=there)
                    return known._and_there(content, copied, names)
        return self

    def _equal(self, term: Linear, value: int, names: Names) -> Iterator[tuple[str, int]]:
        """Facts that say the same as that a sum of cells does not have a value."""
        match term.terms:
            case ((cell, 1),):
                yield from ((root, value - moved) for root, moved in self.same(cell))
            case _:
                name, moved = names.of_sum(term, self.copies)
                yield from ((root, value - moved - further) for root, further in self.same(name))

    def same(self, cell: str) -> Iterator[tuple[str, int]]:
        """The cell itself and the one that it is a copy of, with by how much it was moved."""
        yield cell, 0
        if cell in self.copies:
            yield self.copies[cell]

    def holds_of(self, cell: str) -> bool:
        """Whether what is known of bytes and texts behind a pointer holds here."""
        return cell not in self.unless_null or (cell, 0) in self.other

    def _inside(self, cell: str) -> tuple[int, int] | None:
        """The bytes behind a pointer that are inside of an object, whether or not it may be null."""
        return self.bytes.get(cell) if self.holds_of(cell) else None

    def decides(self, condition: Formula, names: Names) -> bool:
        """Whether a condition holds since a cell, or sum of cells, does not have a value, or two are the same."""
        excluded = any(
            fact in self.other or is_there(self._inside(fact[0]), (-fact[1], -fact[1]), names.top)
            for part in _others(condition)
            for term, value in _excluded(part)
            for fact in self._equal(term, value, names)
        )
        return excluded or any(names.is_zero(part.term, self.copies) for part in _equalities(condition, Or))

    def refutes(self, condition: Formula, names: Names) -> bool:
        """Whether no thread goes on where a condition has to hold, as it demands a value that a cell does not have."""
        parts = _equalities(condition, And)
        return any(self.decides(replace(part, relation=Relation.NE), names) for part in parts)

    def behind(self, instruction: Instruction, own: Container[str], changed: Set[str], names: Names) -> _Known:
        """What is known when cells were written, of cells that are its own."""
        kept = self.without(changed)
        match instruction:
            case Assign(target, Linear(((source, 1),), moved)) if target in own and source in own:
                is_told = not moved or self.holds_of(source)
                found, inside = dict(kept.bytes), self.bytes.get(source) if is_told else None
                if inside is not None:
                    found[target] = inside[0] - moved, inside[1] - moved
                asked = self.texts.items() if is_told else ()
                texts = {(target, at - moved): keys for (cell, at), keys in asked if cell == source}
                other = kept.other.union((target, value + moved) for cell, value in self.other if cell == source)
                is_known = self.holds_of(source)
                is_pointer = is_known and is_there(found.get(target), (0, 0), names.top)
                return replace(
                    kept,
                    bytes=found,
                    other=other | ({(target, 0)} if is_pointer else frozenset()),
                    copies=self._copies_behind(kept, target, source, moved, changed),
                    texts={**kept.texts, **texts} if texts else kept.texts,
                    nulls=kept.nulls | {target} if source in self.nulls and not moved else kept.nulls,
                    unless_null=kept.unless_null if is_known else kept.unless_null | {target},
                )
            case Assign(target, Linear((_, *_)) as value) if target in own:
                return self._moved(kept, target, value, own, names)
            case Assign(target, Linear((), value)) if target in own:
                if not value:
                    return replace(kept, nulls=kept.nulls | {target})
                return replace(kept, other=kept.other | {(target, 0)})
            case Compute(target, operation, arguments) if target in own:
                if operation is Operation.WRAP and arguments[1:] == _ADDRESSES:
                    kept = self._moved(kept, target, arguments[0], own, names)
                is_known = all(cell in own for argument in arguments for cell in _cells(argument))
                result = names.of_result(operation, arguments, self.copies) if is_known else target
                if not changed.isdisjoint(names.based(result)):
                    return kept
                return replace(kept, copies={**kept.copies, target: (result, 0)})
            case Havoc(target, int(low), _) if target in own and low > 0:
                return replace(kept, other=kept.other | {(target, 0)})
            case _:
                return kept

    def _moved(self, kept: _Known, target: str, value: Linear, own: Container[str], names: Names) -> _Known:
        """What is known where a pointer may have been moved, perhaps around the end of all addresses."""
        sources = (source for source, factor in value.terms if factor == 1 and source in own)
        moves = ((self._inside(source), names.moves(value.terms, source, value.constant)) for source in sources)
        is_kept = any(is_there(found, by, names.top) for found, by in moves)
        return replace(kept, other=kept.other | {(target, 0)}) if is_kept else kept

    def _copies_behind(
        self, kept: _Known, target: str, source: str, moved: int, changed: Set[str]
    ) -> Mapping[str, tuple[str, int]]:
        """What cells are copies of where one was set to another one, or to itself, moved by so much."""
        root, further = self.copies.get(source, (source, 0))
        if root not in changed:
            return {**kept.copies, target: (root, further + moved)}
        if source not in changed:
            return {**kept.copies, target: (source, moved)}
        others = {cell: by for cell, (of, by) in self.copies.items() if of == source == target and cell not in changed}
        if not others:
            return kept.copies
        heir, by = min(others.items(), key=lambda item: is_name(item[0]))
        heirs = {cell: (heir, its - by) for cell, its in others.items() if cell != heir}
        return {**kept.copies, **heirs, target: (heir, moved - by)}


def _excluded(condition: Formula) -> Iterator[tuple[Linear, int]]:
    """A sum of cells and a value that it does not have where a condition holds."""
    match condition:
        case Atom(Linear(((_, factor), *_) as terms, moved), Relation.NE):
            yield scale(Linear(tuple(terms)), 1 if factor > 0 else -1), -moved if factor > 0 else moved
        case Atom(Linear(((cell, -1),), least), Relation.LE) if least > 0:
            yield variable(cell), 0


def _equalities(condition: Formula, kind: type[And | Or]) -> Iterator[Atom]:
    """The parts of a condition, all or one of which have to hold, that say that a sum of few cells is a number."""
    for part in condition.parts if isinstance(condition, kind) else (condition,):
        if isinstance(part, Atom) and part.relation is Relation.EQ and len(part.term.terms) <= _FEW:
            yield part


def _null(condition: Formula) -> Iterator[str]:
    """The cells that are 0 where a condition holds."""
    match condition:
        case Atom(Linear(((cell, 1 | -1),), 0), Relation.EQ):
            yield cell
        case _:
            return


def _cells(term: Linear) -> Iterator[str]:
    return (cell for cell, _ in term.terms)


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
    starts.update(
        cell
        for given in noted.given.values()
        for item in given
        if isinstance(item, Reread | Stored)
        for cell in item.cells
    )
    for command in commands:
        match command.instruction:
            case Assign(target, Linear(((source, 1),), _)):
                copies[target].add(source)
                copies[source].add(target)
            case Compute(target, _, arguments):
                copies[target].update(cell for argument in arguments for cell in _cells(argument))
            case Guard(condition):
                starts.update(_null(condition))
                for part in _equalities(condition, And):
                    for cell in _cells(part.term):
                        copies[cell].update(_cells(part.term))
            case Assert(condition):
                starts.update(
                    cell for part in _others(condition) for term, _ in _excluded(part) for cell in _cells(term)
                )
                starts.update(cell for part in _equalities(condition, Or) for cell in _cells(part.term))
            case _:
                pass
    return frozenset(reached(sorted(starts), lambda cell: copies.get(cell, ())))


def without_repeated(
    commands: Sequence[Command],
    entry: int,
    noted: Noted,
    own: Own,
    calls: Iterable[Crossing],
    elsewhere: Callable[[frozenset[str]], bool] = lambda _: True,
    objects: Mapping[str, str] = MappingProxyType({}),
    guards: Guards | None = None,
    summaries: Container[str] = (),
    top: int = PAGE,
) -> list[Command]:
    """The commands of a template, in which checks hold that others have decided, and reads give what was there before.

    `noted` are those of bytes inside of objects and of strings. Only cells that no other thread writes, and that stand
    for one variable, tell of pointers; so does memory in objects with some keys unless it may be written `elsewhere`,
    but for what is guarded by a lock that the thread holds. `objects` are those of which cells stand for a part, by
    cells: steps that are not told change all of such an object. `summaries` are cells that stand for several variables.
    As many addresses at the `top` belong to no object.
    """
    changed_at = _changes(commands, noted, objects)
    asked = _asked(commands, noted)
    own = own.only(asked)
    guards = guards or Guards()
    names = Names(ranges=ranges(commands), top=top)
    returns = Returns(commands, calls, lambda command: own.changed(command.instruction))
    touching = {
        id(command)
        for command in commands
        if command.source in noted.bytes
        or command.source in noted.texts
        or command.source in noted.limited
        or (command.source, command.target) in noted.given
        or not asked.isdisjoint(reads(command.instruction))
        or not asked.isdisjoint(own.changed(command.instruction))
        or any(isinstance(step, Spawn) for step in steps(command.instruction))
        or guards.gives(command.instruction)
    }
    arrays = frozenset(
        text.start
        for text in (*noted.texts.values(), *noted.limited.values(), *_texts_given(noted))
        if text.start in text.around
    )

    def is_told(new: Given, location: int, here: Container[str]) -> bool:
        match new:
            case Stretch():
                return all(cell in here for cell in new.cells)
            case Text(start):
                return start in here or start in arrays
            case Reread(region=Region(around=around)) | Stored(region=Region(around=around)):
                is_kept = around is not None and (
                    location in own.alone or not elsewhere(around) or guards.is_kept(location, around)
                )
                return is_kept and all(cell in here for cell in new.cells)

    def opened(command: Command) -> Set[str]:
        """What is in memory that others may write from a command on: threads that it starts, or takers of a lock."""
        is_given = command.source not in own.alone and guards.gives(command.instruction)
        if not is_given and not any(isinstance(step, Spawn) for step in steps(command.instruction)):
            return frozenset()
        return {name for name, it in names.regions.items() if it.around is None or elsewhere(it.around)}

    def at(location: int, known: _Known) -> _Known:
        known = known.unwritten(noted.written.get(location, frozenset()))
        return known.changed(changed_at[location], names) if location in changed_at else known

    def mentioned(command: Command) -> Set[str]:
        """The cells that a command reads and changes, and those that what is noted there is about."""
        tables = noted.bytes, noted.texts, noted.limited
        here: list[Given] = [table[command.source] for table in tables if command.source in table]
        here += noted.given.get((command.source, command.target), ())
        return own.changed(command.instruction).union(reads(command.instruction), *(item.cells for item in here))

    bodies = returns.in_bodies(mentioned)

    def entered(command: Command, known: _Known) -> _Known:
        """What is known in a body that a command may enter: of the rest it is known again where it comes back."""
        return known.for_body(bodies[command.target]) if returns.is_call(command) else known

    def behind(location: int, known: _Known) -> Iterator[tuple[int, _Known]]:
        here = own.at(location)
        known = at(location, known)
        for command in returns.outgoing[location]:
            if id(command) not in touching:
                yield command.target, entered(command, known)
                continue
            changed = names.and_depending(own.changed(command.instruction) | opened(command))
            after = known.behind(command.instruction, here, changed, names)
            new: list[Given] = list(noted.given.get((location, command.target), ()))
            match command.instruction:
                case Guard(condition) if known.refutes(condition, names):
                    continue
                case Guard(condition):
                    after = after.where(condition, here, names)
                case Assert(condition, stops=True):
                    after = after.where(condition, here, names)
                    new += [table[location] for table in (noted.bytes, noted.texts) if location in table]
                case _:
                    pass
            for one in new:
                after = after.and_given(one, names) if is_told(one, location, here) else after
            yield command.target, entered(command, after.for_reads(command.target, last, names))

    last: dict[str, int] = {}
    for command in commands:
        last.update((name, max(command.source, last.get(name, -1))) for name in reads(command.instruction))
    found = known_on_all_ways(entry, _Known(), behind, returns.successors, returns.behind, PATIENCE)

    def is_decided(command: Command) -> bool:
        known = found.get(command.source)
        if known is None or not isinstance(command.instruction, Assert):
            return False
        known = at(command.source, known)
        tables = noted.bytes, noted.texts, noted.limited
        asks = [table[command.source] for table in tables if command.source in table]
        named = (one.named(known, names) if isinstance(one, Stretch) else one for one in asks)
        return known.decides(command.instruction.condition, names) or any(one.is_in(known) for one in named)

    def is_read(command: Command) -> Iterator[tuple[str, Linear | None, Formula]]:
        """The cells that a step sets to what is in memory, with terms that have this value and what else is known."""
        if (known := found.get(command.source)) is None:
            return
        known, here = at(command.source, known), own.at(command.source)
        for item in noted.given.get((command.source, command.target), ()):
            if isinstance(item, Reread) and is_told(item, command.source, here):
                contents = [names.of_content(it, item.kind) for it in (item.region.at(known.copies), item.region)]
                terms = (known.content(content, names, here) for content in contents)
                excluded = sorted(value for content, value in known.other if content == contents[0])
                yield (
                    item.cell,
                    next((it for it in terms if it is not None and item.cell not in term_cells(it)), None),
                    conjunction(compare(variable(item.cell), "!=", constant(value)) for value in excluded),
                )

    def told(command: Command) -> Command:
        """A step that says what is known in front of it."""
        instruction = command.instruction
        if isinstance(instruction, Assert):
            return holding(command) if is_decided(command) else command
        for cell, term, others in is_read(command):
            match instruction:
                case Havoc(target) if target == cell and term is not None:
                    return replace(command, instruction=Assign(cell, term), approximates="")
                case Assign(target, Linear(((source, 1),), 0)) if (
                    target == cell and source in summaries and term is not None
                ):
                    return replace(command, instruction=Assign(cell, term))
                case Guard() if instruction == SKIP and term is not None:
                    return replace(
                        command, instruction=Atomic((Guard(compare(variable(cell), "==", term)), Assign(cell, term)))
                    )
                case Guard() if instruction == SKIP:
                    return replace(command, instruction=Guard(others))
                case Assign(target) | Havoc(target) if target == cell and others != TRUE:
                    return replace(command, instruction=Atomic((instruction, Guard(others))))
                case _:
                    continue
        return command

    return [told(command) for command in commands]


def holding(command: Command) -> Command:
    """A command; if it is a check, it holds."""
    instruction = command.instruction
    if not isinstance(instruction, Assert):
        return command
    return replace(command, instruction=replace(instruction, condition=TRUE))


def _changes(commands: Iterable[Command], noted: Noted, objects: Mapping[str, str]) -> Mapping[int, Sequence[Region]]:
    """The regions that may be written, by location, if any memory is asked for."""
    return changes(commands, noted, objects) if noted.is_memory_asked_for else {}


def changes(commands: Iterable[Command], noted: Noted, objects: Mapping[str, str]) -> Mapping[int, Sequence[Region]]:
    """The regions that may be written, by location."""
    found = defaultdict(list, {location: list(regions) for location, regions in noted.changed.items()})
    for command in commands:
        if (command.source, command.target) not in noted.told:
            changed = frozenset(objects[cell] for cell in writes(command.instruction) if cell in objects)
            found[command.source] += [Region(None, 0, changed)] if changed else []
    return {location: regions for location, regions in found.items() if regions}


def _texts_given(noted: Noted) -> Iterator[Text]:
    return (item for given in noted.given.values() for item in given if isinstance(item, Text))
