"""What some literals say of their terms, one by one: enough to see that most others hold or do not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from duet.plip.syntax import Atom, Relation

Key: TypeAlias = tuple[tuple[str, int], ...]


@dataclass(slots=True)
class _Known:
    lo: int | None = None
    hi: int | None = None
    holes: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of terms, and the values that they have not; the first coefficient of each term is positive."""

    terms: dict[Key, _Known]

    @classmethod
    def of(cls, literals: Iterable[Atom]) -> Bounds:
        """What literals say. *Approximates*: over; nothing is said about what several terms imply together."""
        terms: dict[Key, _Known] = {}
        for literal in literals:
            if not literal.term.terms:
                continue
            key, value, is_turned = _split(literal)
            known = terms.setdefault(key, _Known())
            if literal.relation is Relation.NE:
                known.holes.add(value)
                continue
            if literal.relation is Relation.EQ or not is_turned:
                known.hi = value if known.hi is None else min(known.hi, value)
            if literal.relation is Relation.EQ or is_turned:
                known.lo = value if known.lo is None else max(known.lo, value)
        return cls(terms)

    def decides(self, literal: Atom) -> bool | None:
        """Whether a literal holds wherever these do (True) or nowhere (False); None where that is not seen."""
        if not literal.term.terms:
            return None
        key, value, is_turned = _split(literal)
        known = self.terms.get(key)
        if known is None:
            return None
        is_outside = _is_less(value, known.lo) or _is_less(known.hi, value) or value in known.holes
        if literal.relation is Relation.LE:
            return _at_least(known, value) if is_turned else _at_most(known, value)
        is_it = known.lo == known.hi == value
        if literal.relation is Relation.EQ:
            return False if is_outside else True if is_it else None
        return True if is_outside else False if is_it else None

    def left_of(self, literals: Sequence[Atom]) -> tuple[Atom, ...] | None:
        """Those of some literals that are not seen to hold; None where one of them is seen to hold nowhere."""
        left = []
        for literal in literals:
            decided = self.decides(literal)
            if decided is False:
                return None
            if decided is None:
                left.append(literal)
        return tuple(left)


def _split(literal: Atom) -> tuple[Key, int, bool]:
    """The term with a positive first coefficient, the value that it is compared with, and whether it was turned."""
    terms, constant = literal.term.terms, literal.term.constant
    if terms[0][1] < 0:
        return tuple((cell, -k) for cell, k in terms), constant, True
    return terms, -constant, False


def _is_less(left: int | None, right: int | None) -> bool:
    return left is not None and right is not None and left < right


def _at_most(known: _Known, value: int) -> bool | None:
    if known.hi is not None and known.hi <= value:
        return True
    return False if _is_less(value, known.lo) else None


def _at_least(known: _Known, value: int) -> bool | None:
    if known.lo is not None and known.lo >= value:
        return True
    return False if _is_less(known.hi, value) else None
