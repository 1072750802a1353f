"""Whether two instructions that leave one location can both pass in one state, as far as their guards show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from duet.plip.syntax import And, Assert, Atom, Formula, Guard, Instruction, Join, Linear, Or, Relation, Spawn, steps
from duet.plip.terms import conjunction, formula_cells, negate, scale

_MOST_CASES = 64


def are_exclusive(one: Instruction, other: Instruction) -> bool:
    """Whether in no state both pass. *Approximates*: under; what is not seen counts as possible."""
    found = cases(conjunction((_condition(one), _condition(other))))
    return found is not None and all(_contradicts(case) for case in found)


def are_told_apart(instructions: Sequence[Instruction]) -> bool:
    """Whether all of them ask for another constant in one cell, as returns to many callers do: no two pass, then."""
    asked = [dict(_constants(_condition(instruction))) for instruction in instructions]
    cells = asked[0].keys() if asked else ()
    return any(
        all(cell in found for found in asked) and len({found[cell] for found in asked}) == len(asked) for cell in cells
    )


def _constants(condition: Formula) -> Iterator[tuple[str, int]]:
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


def _contradicts(atoms: tuple[Atom, ...]) -> bool:
    """Whether two atoms bound one term in ways that no integer meets; more is not looked for."""
    lows: dict[tuple[tuple[str, int], ...], int] = {}
    highs: dict[tuple[tuple[str, int], ...], int] = {}
    holes: dict[tuple[tuple[str, int], ...], set[int]] = {}
    for atom in atoms:
        term = atom.term
        is_turned = bool(term.terms) and term.terms[0][1] < 0
        key, value = (scale(term, -1).terms, term.constant) if is_turned else (term.terms, -term.constant)
        if atom.relation is Relation.NE:
            holes.setdefault(key, set()).add(value)
            continue
        if atom.relation is Relation.EQ or is_turned:
            lows[key] = max(value, lows.get(key, value))
        if atom.relation is Relation.EQ or not is_turned:
            highs[key] = min(value, highs.get(key, value))
    for key in lows.keys() & highs.keys():
        missing = holes.get(key, set())
        if highs[key] - lows[key] < 16 and all(value in missing for value in range(lows[key], highs[key] + 1)):
            return True
        if lows[key] > highs[key]:
            return True
    return False
