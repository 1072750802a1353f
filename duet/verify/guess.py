"""Larger cubes that may still be out of reach: what is left of a cube without some threads, variables and literals.

*Source*: Conchon, Goel, Krstić, Mebsout and Zaïdi, Invariants for finite instances and beyond, FMCAD 2013 (BRAB).
A guess is a question to the search, not an answer: it is proved with everything that leads into it, or given up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import combinations, islice

from duet.plip.syntax import Atom, Relation
from duet.plip.terms import atom, scale, term_cells
from duet.verify.cube import Cube, made, renumbered, thread_of
from duet.verify.integers import without
from duet.verify.tables import Tables

_MOST = 400
_ALL_OF = 6  # literals of which every choice of two is tried


def guess(cube: Cube, tables: Tables, blamed: Collection[Cube], is_initial: Callable[[Cube], bool]) -> Cube:
    """The simplest larger cube that no state seen is in; the cube itself if there is none."""
    candidates = sorted(set(islice(_larger(cube), _MOST)), key=_size)
    for candidate in candidates:
        if candidate in blamed or not tables.may_judge(candidate):
            continue
        if not tables.holds(candidate) and not is_initial(candidate):
            return candidate
    return cube


def _size(cube: Cube) -> tuple[int, int, int, int, str]:
    """What is simpler comes first, of that what is larger: an inequality rather than an equality."""
    variables = {cell for literal in cube.literals for cell in term_cells(literal.term)}
    equalities = sum(literal.relation is Relation.EQ for literal in cube.literals)
    return len(variables) + len(cube.locations), len(cube.locations), len(cube.literals), equalities, repr(cube)


def _larger(cube: Cube) -> Iterator[Cube]:
    for count in range(1, len(cube.locations) + 1):
        for threads in combinations(range(len(cube.locations)), count):
            number = {old: new for new, old in enumerate(threads)}
            places = tuple(cube.locations[thread] for thread in threads)
            for literals in _projected(cube, set(threads)):
                for chosen in _choices(literals):
                    found = made(places, [renumbered(literal, number) for literal in chosen])
                    if found is not None:
                        yield found


def _projected(cube: Cube, threads: set[int]) -> Iterator[tuple[Atom, ...]]:
    """The literals over some threads, with the others' cells eliminated; then without one more variable."""
    literals = cube.literals
    names = sorted({cell for literal in literals for cell in term_cells(literal.term)})
    for name in names:
        thread = thread_of(name)
        if thread is not None and thread not in threads:
            literals = without(literals, name)
    yield literals
    for name in names:
        if any(name in term_cells(literal.term) for literal in literals):
            yield without(literals, name)


def _choices(literals: tuple[Atom, ...]) -> Iterator[tuple[Atom, ...]]:
    """None, one or two of some literals, or all; an equality also as either of its inequalities."""
    yield literals
    yield ()
    several = list(dict.fromkeys(part for literal in literals for part in _weaker(literal)))
    for one in several:
        yield (one,)
    if len(literals) <= _ALL_OF:
        yield from combinations(several, 2)


def _weaker(literal: Atom) -> list[Atom]:
    if literal.relation is not Relation.EQ:
        return [literal]
    parts = (atom(scale(literal.term, sign), Relation.LE) for sign in (1, -1))
    return [literal, *(part for part in parts if isinstance(part, Atom))]
