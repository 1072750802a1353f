"""Values of numeric domains in the words of certificates."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from domains.values.number import Number
from duet.absint.state import Space, State, Value
from duet.certificate.document import Phrase, Residues
from duet.plip.syntax import TRUE, Formula, Linear
from duet.plip.terms import add, compare, conjunction, constant, disjunction, show_formula, variable
from duet.plip.tokens import quote_name

FALSE = Phrase("false")


def said(formula: Formula, residues: Residues = ()) -> Phrase:
    """A formula and residues as a statement."""
    return Phrase(show_formula(formula, quote_name), residues)


def equal(cell: str, term: Linear) -> Phrase:
    """That a cell has the value of a term."""
    return said(compare(variable(cell), "==", term))


class Phrases:
    """Values of packs as phrases; each value is put in words once.

    `meanings` are the expressions for some cells; of those that are `left_out` nothing is said.
    """

    def __init__(
        self, space: Space, meanings: Mapping[str, Linear] | None = None, left_out: Collection[str] = ()
    ) -> None:
        self._space = space
        self._meanings = meanings or {}
        self._left_out = frozenset(left_out)
        self._known: dict[tuple[int, Value], Phrase | None] = {}

    def of(self, pack: int, value: Value | None) -> Phrase | None:
        """What a value says, None for nothing."""
        if value is None:
            return FALSE
        key = (pack, value)
        if key not in self._known:
            self._known[key] = self._said(pack, value)
        return self._known[key]

    def any_of(self, states: Sequence[State]) -> Iterator[Phrase]:
        """What holds in each of several states: pack by pack where all say the same, then one phrase of cases."""
        if not states:
            yield FALSE
            return
        first, *others = states
        same = {pack for pack, value in first.items() if all(value == other[pack] for other in others)}
        yield from (phrase for pack in sorted(same) if (phrase := self.of(pack, first[pack])) is not None)
        if len(same) < len(first):
            case, *otherwise = [self._of_packs({p: v for p, v in state.items() if p not in same}) for state in states]
            yield Phrase(case.formula, case.residues, tuple(otherwise))

    def _of_packs(self, state: State) -> Phrase:
        """What the values of some packs say together."""
        parts = [self._parts(pack, value) for pack, value in state.items()]
        return said(conjunction(part for part, _ in parts), tuple(one for _, found in parts for one in found))

    def _said(self, pack: int, value: Value) -> Phrase | None:
        formula, residues = self._parts(pack, value)
        return None if formula == TRUE and not residues else said(formula, residues)

    def _parts(self, pack: int, value: Value) -> tuple[Formula, Residues]:
        """What a value says, as a formula and residues."""
        cells, domain = self._space.packing.packs[pack], self._space.domain
        parts: list[Formula] = []
        residues: list[tuple[str, int, int]] = []
        terms_of = [self._meanings.get(cell, variable(cell)) for cell in cells]
        told = [position for position, cell in enumerate(cells) if cell not in self._left_out]
        for position in told:
            cell, found = cells[position], domain.number(value, position)
            parts += _bounds(terms_of[position], found)
            if found.modulus > 1 and not found.members and cell not in self._meanings:
                residues.append((cell, found.modulus, found.residue))
        if len(cells) > 1:
            for (terms, k), relation in domain.constraints(value):
                if len(terms) > 1 and all(position in told for position, _ in terms):
                    parts.append(compare(_sum(terms_of, terms, k), relation, constant(0)))
        return conjunction(parts), tuple(residues)


def _sum(cells: Sequence[Linear], terms: Iterable[tuple[int, int]], value: int) -> Linear:
    total = constant(value)
    for position, k in terms:
        total = add(total, cells[position], k)
    return total


def _bounds(value: Linear, found: Number) -> Iterator[Formula]:
    """The members of a number, or its bounds."""
    if found.members and found.hi - found.lo >= len(found.members):
        yield disjunction(compare(value, "==", constant(member)) for member in found.members)
        return
    if found.lo == found.hi:
        yield compare(value, "==", constant(int(found.lo)))
        return
    if found.lo != -math.inf:
        yield compare(value, ">=", constant(int(found.lo)))
    if found.hi != math.inf:
        yield compare(value, "<=", constant(int(found.hi)))
