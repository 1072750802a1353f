"""Cubes: sets of states, as locations of some distinct threads and literals over the globals and their own cells.

*Source*: thesis Def. 5.3.3: a configuration of the product of a predicate automaton with the negated assertions.
A cube holds in a state if there are distinct threads there, as many as it has, for which all literals hold; what other
threads do is left open. Thread `i`'s own cell `c` is written `own(c, i)` in literals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from duet.plip.exclusive import cases
from duet.plip.syntax import Atom, Cell, Formula, Linear, Relation
from duet.plip.terms import atom, rename_formula, rename_term
from duet.verify.integers import tightened

_MARK = "\n"  # no name of a cell has a line break


@dataclass(frozen=True, slots=True)
class Cube:
    """Threads `0..n-1` at `locations`, and literals, sorted by their text so that equal cubes are one."""

    locations: tuple[int, ...]
    literals: tuple[Atom, ...]


def own(cell: str, thread: int) -> str:
    """The name of a thread's own cell in literals."""
    return f"{cell}{_MARK}{thread}"


def thread_of(name: str) -> int | None:
    """The thread that a name in a literal belongs to, None for a global."""
    _, mark, number = name.rpartition(_MARK)
    return int(number) if mark else None


def cell_of(name: str) -> str:
    """The cell that a name in a literal stands for."""
    cell, mark, number = name.rpartition(_MARK)
    return cell if mark else number


def of_thread(formula: Formula, cells: Mapping[str, Cell], thread: int) -> Formula:
    """A formula over cells as one over the globals and the cells of a thread."""
    return rename_formula(formula, lambda cell: cell if cells[cell].template is None else own(cell, thread))


def term_of_thread(term: Linear, cells: Mapping[str, Cell], thread: int) -> Linear:
    """The same for a term."""
    return rename_term(term, lambda cell: cell if cells[cell].template is None else own(cell, thread))


def ways(formula: Formula) -> list[tuple[Atom, ...]] | None:
    """The conjunctions of literals of which one holds where a formula does; None where there are too many."""
    return cases(formula)


def made(locations: Iterable[int], literals: Iterable[Atom]) -> Cube | None:
    """The cube with its threads in the order of their locations and tidy literals; None if it is plainly empty."""
    places = tuple(locations)
    order = sorted(range(len(places)), key=lambda thread: (places[thread], thread))
    number = {old: new for new, old in enumerate(order)}
    renamed = (renumbered(literal, number) for literal in literals)
    tidy = tidied(renamed)
    return None if tidy is None else Cube(tuple(places[thread] for thread in order), tidy)


def renumbered(literal: Atom, number: Mapping[int, int]) -> Atom:
    """A literal with other numbers for the threads. *Requires*: those that it speaks of have one."""
    if not literal.term.terms:
        return literal

    def name(cell: str) -> str:
        thread = thread_of(cell)
        return cell if thread is None else own(cell_of(cell), number[thread])

    found = atom(rename_term(literal.term, name), literal.relation)
    assert isinstance(found, Atom)  # different threads stay different
    return found


def tidied(literals: Iterable[Atom]) -> tuple[Atom, ...] | None:
    """The same literals, tight on integers and without what others imply term by term; None for a contradiction."""
    highs: dict[tuple[tuple[str, int], ...], int] = {}
    exact: dict[tuple[tuple[str, int], ...], int] = {}
    holes: dict[tuple[tuple[str, int], ...], set[int]] = {}
    for literal in literals:
        tight = tightened(literal)
        if isinstance(tight, bool):
            if not tight:
                return None
            continue
        key, value = tight.term.terms, -tight.term.constant
        match tight.relation:
            case Relation.LE:
                highs[key] = min(value, highs.get(key, value))
            case Relation.EQ:
                if exact.setdefault(key, value) != value:
                    return None
            case Relation.NE:
                holes.setdefault(key, set()).add(value)
    return _together(highs, exact, holes)


def _together(
    highs: dict[tuple[tuple[str, int], ...], int],
    exact: dict[tuple[tuple[str, int], ...], int],
    holes: dict[tuple[tuple[str, int], ...], set[int]],
) -> tuple[Atom, ...] | None:
    """Literals from the bounds of terms."""
    for key, values in holes.items():
        opposite = _opposite(key)
        while key in highs and highs[key] in values:
            highs[key] -= 1
        while opposite in highs and -highs[opposite] in values:
            highs[opposite] -= 1
    result: list[Atom] = []
    for key, value in sorted(highs.items()):
        opposite = _opposite(key)
        low = -highs[opposite] if opposite in highs else None
        if low is not None and low > value:
            return None
        first = key if key[0][1] > 0 else opposite
        fixed = exact.get(first)
        if fixed is not None:
            mine = fixed if first == key else -fixed
            if mine > value:
                return None
        elif low == value:
            exact[first] = value if first == key else -value
        else:
            result.append(Atom(Linear(key, -value), Relation.LE))
    result = [a for a in result if (a.term.terms if a.term.terms[0][1] > 0 else _opposite(a.term.terms)) not in exact]
    for key, value in exact.items():
        if value in holes.get(key, ()):
            return None
        result.append(Atom(Linear(key, -value), Relation.EQ))
    for key, values in holes.items():
        opposite = _opposite(key)
        for value in values:
            is_above = key in highs and value > highs[key]
            is_below = opposite in highs and value < -highs[opposite]
            if key not in exact and not is_above and not is_below:
                result.append(Atom(Linear(key, -value), Relation.NE))
    return tuple(sorted(result, key=_sorting))


def _opposite(key: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    return tuple((cell, -k) for cell, k in key)


def _sorting(literal: Atom) -> tuple[tuple[tuple[str, int], ...], str, int]:
    return literal.term.terms, literal.relation.value, literal.term.constant
