"""Whether two instructions that leave one location can both pass in one state, as far as their guards show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from duet.plip.syntax import And, Assert, Atom, Formula, Guard, Instruction, Join, Linear, Or, Relation, Spawn, steps
from duet.plip.terms import conjunction, formula_cells, negate, scale

_MOST_CASES = 64
_FEW = 16
"""Integers of which each is looked at."""
_Terms: TypeAlias = tuple[tuple[str, int], ...]
"""A sum of cells with coefficients, the first of which is positive."""


def are_exclusive(one: Instruction, other: Instruction) -> bool:
    """Whether in no state both pass. *Approximates*: under; what is not seen counts as possible."""
    return passing(one).excludes(passing(other))


@dataclass(frozen=True, slots=True)
class Passing:
    """The cases in which an instruction may pass, by what is known of terms then; None where these are too many."""

    cases: tuple[Mapping[_Terms, _Range], ...] | None

    def excludes(self, other: Passing) -> bool:
        """As `are_exclusive`, of two instructions of which this is known."""
        if self.cases is None or other.cases is None or len(self.cases) * len(other.cases) > _MOST_CASES:
            return False
        return all(
            any(key in right and known.common(right[key]).is_empty for key, known in left.items())
            for left, right in product(self.cases, other.cases)
        )


def passing(instruction: Instruction) -> Passing:
    """The cases in which an instruction may pass."""
    found = cases(_condition(instruction))
    if found is None:
        return Passing(None)
    known = map(_ranges, found)
    return Passing(tuple(case for case in known if not any(it.is_empty for it in case.values())))


def are_told_apart(instructions: Sequence[Instruction]) -> bool:
    """Whether all of them ask for another constant in one cell, as returns to many callers do: no two pass, then."""
    asked = [dict(constants_of(_condition(instruction))) for instruction in instructions]
    cells = asked[0].keys() if asked else ()
    return any(
        all(cell in found for found in asked) and len({found[cell] for found in asked}) == len(asked) for cell in cells
    )


def constants_of(condition: Formula) -> Iterator[tuple[str, int]]:
    """The cells that equal a constant where a condition holds, as far as it says so directly."""
    for part in condition.parts if isinstance(condition, And) else (condition,):
        match part:
            case Atom(Linear(((cell, 1 | -1 as k),), constant), Relation.EQ):
                yield cell, -constant * k
            case _:
                continue


def are_exhaustive(instructions: list[Instruction]) -> bool:
    """Whether in every state one of some steps passes. *Approximates*: under."""
    if any(isinstance(instruction, Assert | Spawn | Join) for instruction in instructions):
        return False
    found = cases(conjunction(negate(_condition(instruction)) for instruction in instructions))
    return found is not None and all(_contradicts(case) for case in found)


def _condition(instruction: Instruction) -> Formula:
    """What holds of the cells in front of an instruction that passes, as far as its guards say it of them directly."""
    parts: list[Formula] = []
    written: set[str] = set()
    for step in steps(instruction):
        match step:
            case Guard(condition):
                if not formula_cells(condition) & written:
                    parts.append(condition)
            case Assert() | Spawn() | Join():
                return conjunction(())
            case _:
                written.add(step.target)  # type: ignore[union-attr]  # the other steps are writes
    return conjunction(parts)


def cases(formula: Formula) -> list[tuple[Atom, ...]] | None:
    """The disjunctive normal form of a formula, a conjunction of atoms each; None where it is too large."""
    match formula:
        case Atom():
            return [(formula,)]
        case Or(parts):
            found = [cases(part) for part in parts]
            flat = [case for part in found if part is not None for case in part]
            return None if None in found or len(flat) > _MOST_CASES else flat
        case And(parts):
            result: list[tuple[Atom, ...]] = [()]
            for part in parts:
                more = cases(part)
                if more is None or len(more) * len(result) > _MOST_CASES:
                    return None
                result = [(*left, *right) for left, right in product(result, more)]
            return result


@dataclass(frozen=True, slots=True)
class _Range:
    """The integers from `lo` to `hi` but for some, the `holes`."""

    lo: int | None = None
    hi: int | None = None
    holes: frozenset[int] = frozenset()

    def common(self, other: _Range) -> _Range:
        """The integers in both."""
        los = [end for end in (self.lo, other.lo) if end is not None]
        his = [end for end in (self.hi, other.hi) if end is not None]
        return _Range(max(los, default=None), min(his, default=None), self.holes | other.holes)

    @property
    def is_empty(self) -> bool:
        """Whether no integer is left, as far as few are looked at."""
        if self.lo is None or self.hi is None:
            return False
        is_small = self.hi - self.lo < _FEW
        return self.lo > self.hi or (is_small and all(value in self.holes for value in range(self.lo, self.hi + 1)))


def _contradicts(atoms: tuple[Atom, ...]) -> bool:
    """Whether two atoms bound one term in ways that no integer meets; more is not looked for."""
    return any(found.is_empty for found in _ranges(atoms).values())


def _ranges(atoms: Iterable[Atom]) -> Mapping[_Terms, _Range]:
    """What atoms say of sums of cells, each by itself."""
    found: dict[_Terms, _Range] = {}
    for atom in atoms:
        term = atom.term
        is_turned = bool(term.terms) and term.terms[0][1] < 0
        key, value = (scale(term, -1).terms, term.constant) if is_turned else (term.terms, -term.constant)
        match atom.relation:
            case Relation.NE:
                new = _Range(holes=frozenset((value,)))
            case Relation.EQ:
                new = _Range(value, value)
            case Relation.LE:
                new = _Range(lo=value) if is_turned else _Range(hi=value)
        found[key] = found[key].common(new) if key in found else new
    return found
