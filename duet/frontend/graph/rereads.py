"""What memory holds is read again: names for what is in memory where pointers lead, and for sums of cells.

Two reads of the same bytes give one value, as long as nothing in between may write these, or the cells that say where
they are. So what is known of the value that was read is known of what is there, by a name, until then.

*Source*: B. Alpern, M. N. Wegman, F. K. Zadeck, "Detecting equality of variables in programs", 1988, with loads as
terms. *Approximates*: under, what is equal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Set
from dataclasses import field

from duet.frontend.graph.there import PAGE
from duet.plip.syntax import Linear, Operation
from duet.plip.terms import add, constant, scale, variable
from duet.records import dataclass

Terms = tuple[tuple[str, int], ...]

Copies = Mapping[str, tuple[str, int]]
"""By cells, and names of what is in memory, what each is a copy of, and how far it was moved."""


@dataclass(frozen=True, slots=True)
class Region:
    """Bytes in one of the objects with the keys `around`, or in any if that is None.

    They are `size` bytes from the address `start` on; any in these objects if that is None.
    """

    start: Linear | None
    size: int
    around: frozenset[str] | None

    def at(self, copies: Copies) -> Region:
        """The same bytes, by an address in terms of what cells are copies of."""
        return self if self.start is None else Region(in_terms_of(self.start, copies), self.size, self.around)

    def meets(self, other: Region) -> bool:
        """Whether some of the bytes may be those of another region, whose address is in the same terms."""
        if self.around is not None and other.around is not None and self.around.isdisjoint(other.around):
            return False
        if self.start is None or other.start is None or self.start.terms != other.start.terms:
            return True
        begin, end = self.start.constant, other.start.constant
        return begin < end + other.size and end < begin + self.size


@dataclass(frozen=True, slots=True)
class Reread:
    """A cell holds what was read of memory, as a value of some `kind`: signed or not, or a pointer."""

    cell: str
    region: Region
    kind: str

    @property
    def cells(self) -> Iterator[str]:
        """The cell, and those that say where the memory is."""
        yield self.cell
        yield from (cell for cell, _ in self.region.start.terms) if self.region.start is not None else ()

    def into(self, cell: str) -> Reread | None:
        """The same value in another cell; None where that said where the memory is, until it was set."""
        return Reread(cell, self.region, self.kind) if cell not in self.cells else None


@dataclass(frozen=True, slots=True)
class Stored:
    """Memory holds the value of a term, as a value of some `kind`."""

    value: Linear
    region: Region
    kind: str

    @property
    def cells(self) -> Iterator[str]:
        """The cells of the term, and those that say where the memory is."""
        yield from (cell for cell, _ in self.value.terms)
        yield from (cell for cell, _ in self.region.start.terms) if self.region.start is not None else ()


@dataclass
class Names:
    """The names in use: of sums of cells, results of operations, and what is in memory, with what each depends on.

    `depending` are the names to forget when a cell, or what has a name, changes. `ranges` are those of temporaries; as
    many addresses at the `top` belong to no object.
    """

    regions: dict[str, Region] = field(default_factory=dict)
    sums: dict[str, Terms] = field(default_factory=dict)
    depending: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    top: int = PAGE
    _based: dict[str, frozenset[str]] = field(default_factory=dict)

    def of_sum(self, term: Linear, copies: Copies) -> tuple[str, int]:
        """A name for where an address leads, and how far it is from there."""
        found = in_terms_of(term, copies)
        match found.terms:
            case ((cell, 1),):
                return cell, found.constant
            case terms:
                name = f"&{_text(terms)}"
                self.sums[name] = terms
                self._enter(name, (cell for cell, _ in terms))
                return name, found.constant

    def moves(self, terms: Terms, source: str, moved: int) -> tuple[int, int] | None:
        """By how much at least and at most a sum moves one of its cells; None if nobody knows."""
        others = [(factor, self.ranges[cell]) for cell, factor in terms if cell != source and cell in self.ranges]
        if len(others) < len(terms) - 1:
            return None
        ends = [sorted((factor * low, factor * high)) for factor, (low, high) in others]
        return moved + sum(low for low, _ in ends), moved + sum(high for _, high in ends)

    def of_result(self, operation: Operation, arguments: Iterable[Linear], copies: Copies) -> str:
        """A name for the result of an operation."""
        found = [in_terms_of(argument, copies) for argument in arguments]
        name = f"&{operation} {' '.join(f'{_text(it.terms)}{it.constant:+}' for it in found)}"
        self._enter(name, (cell for it in found for cell, _ in it.terms))
        return name

    def of_content(self, region: Region, kind: str) -> str:
        """A name for what is in memory. *Requires*: the address is known, in terms of what cells are copies of."""
        assert region.start is not None
        places = "" if region.around is None else " ".join(sorted(region.around))
        name = f"*{_text(region.start.terms)}{region.start.constant:+}:{region.size}{kind}@{places}"
        self._enter(name, (cell for cell, _ in region.start.terms))
        self.regions[name] = region
        return name

    def _enter(self, name: str, cells: Iterable[str]) -> None:
        if name not in self._based:
            based = frozenset(base for cell in cells for base in (cell, *self._based.get(cell, ())))
            self._based[name] = based
            for base in based:
                self.depending[base].add(name)

    def based(self, name: str) -> frozenset[str]:
        """The cells and names that a name depends on, itself among them."""
        return self._based.get(name, frozenset()) | {name}

    def is_zero(self, term: Linear, copies: Copies) -> bool:
        """Whether a term is 0, whatever its cells hold, by what these are copies of."""
        found = in_terms_of(term, copies)
        for name, factor in found.terms:
            if name in self.sums:
                found = add(found, Linear(((name, -factor), *((it, factor * by) for it, by in self.sums[name])), 0))
        return not found.terms and not found.constant

    def and_depending(self, changed: Set[str]) -> Set[str]:
        """Cells and names that change, and those that depend on these."""
        found = [names for cell in changed if (names := self.depending.get(cell))]
        return {*changed, *(name for names in found for name in names)} if found else changed


def in_terms_of(term: Linear, copies: Copies) -> Linear:
    """A term with what cells are copies of in their places."""
    if not any(cell in copies for cell, _ in term.terms):
        return term
    found = constant(term.constant)
    for cell, factor in term.terms:
        root, moved = copies.get(cell, (cell, 0))
        found = add(found, scale(Linear(((root, 1),), moved), factor))
    return found


def of_cells(content: str, copies: Copies, names: Names, own: Container[str]) -> Linear | None:
    """The value that has a name as a term of cells of one's own; None where there is none that is known to be it."""
    root, moved = copies.get(content, (content, 0))
    found = constant(moved)
    for part, factor in names.sums.get(root, ((root, 1),)):
        if is_name(part):
            same = (cell for cell, (of, _) in copies.items() if of == part and cell in own)
            if (cell := min(same, default=None)) is None:
                return None
            found = add(found, add(variable(cell), constant(-copies[cell][1])), factor)
        elif part in own:
            found = add(found, variable(part), factor)
        else:
            return None
    return found


def is_name(cell: str) -> bool:
    """Whether this is no cell, but a name for what is in memory or for a sum."""
    return cell.startswith(("*", "&"))


def _text(terms: Terms) -> str:
    return "".join(f"{factor:+}({cell})" for cell, factor in terms)
