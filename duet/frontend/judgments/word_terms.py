"""What parts of numbers are, as terms over cells and over ghosts that hold some bits of cells.

Bits are those of the infinite two's complement: part `(low, size)` of v is `floor(v / 2**low) mod 2**size`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from duet.frontend.judgments.word_bits import Bits, size_of, term_bits
from duet.plip.syntax import Assign, Compute, Havoc, Linear, Lookup, Operation, Program, steps
from duet.plip.terms import add, constant, scale, term_cells, variable

BY_BITS = (Operation.AND, Operation.OR, Operation.XOR)


@dataclass(frozen=True, slots=True, order=True)
class Part:
    """`size` bits of a cell from bit `low` on."""

    cell: str
    low: int
    size: int

    @property
    def ghost(self) -> str:
        return f"{self.cell}:bits {self.low}+{self.size}"


Definition: TypeAlias = Assign | Havoc | Compute | Lookup


@dataclass(slots=True)
class Words:
    """What parts of numbers are, as terms over cells and ghosts; `asked` are the ghosts that terms were made of."""

    program: Program
    bits: Bits
    definitions: Mapping[str, Sequence[Definition]] = field(init=False)
    ghosts: dict[str, Part] = field(default_factory=dict)
    ends: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    """Where parts of a cell that were asked for begin and end: larger ones are put together from those in between."""

    def __post_init__(self) -> None:
        found: dict[str, list[Definition]] = defaultdict(list)
        for command in self.program.commands:
            for step in steps(command.instruction):
                if isinstance(step, Definition):
                    found[step.target].append(step)
        self.definitions = found

    def part(self, part: Part) -> Linear | None:
        """A part of a cell: the cell itself where it has no other bits, or else a ghost. None for a summary."""
        if self.program.cells[part.cell].summary:
            return None
        size, low = part.size, part.low
        known = size_of(self.bits[part.cell])
        if not self.bits[part.cell] >> low & ((1 << size) - 1):
            return constant(0)
        if known is not None:
            size = min(size, known - low)
            if low == 0 and size == known:
                return variable(part.cell)
        ends = self.ends[part.cell]
        ends |= {low, low + size}
        result, first = constant(0), low
        for end in sorted(ends):
            if first < end <= low + size:
                found = Part(part.cell, first, end - first)
                self.ghosts[found.ghost] = found
                result, first = add(result, variable(found.ghost), 1 << (first - low)), end
        return result

    @property
    def count(self) -> int:
        """How many ends of parts were asked for."""
        return sum(map(len, self.ends.values()))

    def written(self, step: Definition, low: int, size: int) -> Linear | None:
        """A part of what a step writes, in the state before it; None where that is no term."""
        match step:
            case Assign(_, value):
                return self.of_term(value, low, size)
            case Compute(_, operation, arguments):
                return self._computed(operation, arguments, low, size)
            case _:
                return None

    def wrapped_sum(self, step: Definition, size: int) -> Linear | None:
        """A sum with the same lowest bits as what a step writes, in the state before it."""
        match step:
            case Assign(_, value):
                return value
            case Compute(_, Operation.WRAP, (value, Linear((), least), Linear((), most))):
                return value if (most - least + 1) % (1 << size) == 0 else None
            case _:
                return None

    def of_term(self, term: Linear, low: int, size: int) -> Linear | None:
        """A part of a sum: of numbers side by side, of which each begins where the one before has ended."""
        end = low + size
        terms = [(cell, factor) for cell, factor in term.terms if factor % (1 << end)]
        left = term.constant % (1 << end)
        if any(factor < 0 or factor & (factor - 1) for _, factor in terms):
            return None
        result, covered = constant(0), 0
        places = sorted((factor.bit_length() - 1, cell) for cell, factor in terms)
        for index, (place, cell) in enumerate(places):
            following = places[index + 1][0] if index + 1 < len(places) else None
            known = size_of(self.bits[cell])
            if following is not None and (known is None or place + known > following):
                return None
            until = end if following is None else place + (known or 0)
            bits = (1 << max(place, until)) - (1 << place)
            if left & bits:
                return None
            covered |= bits
            first, last = max(place, low), min(until, end)
            if first < last:
                piece = self.part(Part(cell, first - place, last - first))
                if piece is None:
                    return None
                result = add(result, piece, 1 << (first - low))
        return add(result, constant(left >> low))

    def _computed(self, operation: Operation, given: tuple[Linear, ...], low: int, size: int) -> Linear | None:
        if operation is Operation.WRAP:
            return self._wrapped(given, low, size)
        if operation in BY_BITS:
            return self._by_bits(operation, given, low, size)
        value, second = given
        if second.terms:
            return None
        by = second.constant
        if operation is Operation.SHR:
            return self.of_term(value, low + by, size) if by >= 0 else None
        if operation is Operation.SHL:
            return self.of_term(scale(value, 1 << by), low, size) if 0 <= by < 128 else None
        is_power = by > 0 and by & (by - 1) == 0
        if not is_power or term_bits(value, self.bits) < 0:  # truncates towards zero
            return None
        bits = by.bit_length() - 1
        if operation is Operation.DIV:
            return self.of_term(value, low + bits, size)
        return self._up_to(value, low, size, bits) if operation is Operation.MOD else None

    def _wrapped(self, given: tuple[Linear, ...], low: int, size: int) -> Linear | None:
        value, least, most = given
        if least.terms or most.terms:
            return None
        count = most.constant - least.constant + 1
        bits = count.bit_length() - 1
        if count != 1 << bits or (least.constant != 0 and low + size > bits):
            return None
        return self._up_to(value, low, size, bits)

    def _up_to(self, value: Linear, low: int, size: int, bits: int) -> Linear | None:
        """A part of what is left of a number where bits from `bits` on are cleared."""
        return constant(0) if low >= bits else self.of_term(value, low, min(size, bits - low))

    def _by_bits(self, operation: Operation, given: tuple[Linear, ...], low: int, size: int) -> Linear | None:
        """A part of two numbers that are put together bit by bit: where one of them is constant, or has no bits."""
        result = constant(0)
        for first, last in _runs([self._known(term) for term in given], low, low + size):
            piece = self._piece(operation, given, first, last - first)
            if piece is None:
                return None
            result = add(result, piece, 1 << (first - low))
        return result

    def _known(self, term: Linear) -> int:
        """A constant, or the bits that a term may have."""
        return term_bits(term, self.bits)

    def _piece(self, operation: Operation, given: tuple[Linear, ...], low: int, size: int) -> Linear | None:
        """The same for bits that are all the same in what is constant."""
        ones = (1 << size) - 1
        for value, other in (given, given[::-1]):
            is_set = bool(self._known(other) >> low & ones)
            if is_set and other.terms:
                continue
            if is_set and operation is Operation.OR:
                return constant(ones)
            if not is_set and operation is Operation.AND:
                return constant(0)
            piece = self.of_term(value, low, size)
            is_turned = is_set and operation is Operation.XOR
            return add(constant(ones), piece, -1) if is_turned and piece is not None else piece
        return None


def _runs(masks: Sequence[int], low: int, end: int) -> Iterator[tuple[int, int]]:
    """The bits from `low` to `end` by whether they are set in each of some masks, as long as that is the same."""
    first = low
    for place in range(low + 1, end + 1):
        if place == end or any((mask >> place & 1) != (mask >> first & 1) for mask in masks):
            yield first, place
            first = place


def parts_in(term: Linear, words: Words) -> frozenset[Part]:
    """The parts whose ghosts a term is made of."""
    return frozenset(words.ghosts[cell] for cell in term_cells(term) if cell in words.ghosts)
