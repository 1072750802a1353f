"""Larger cubes that may still be out of reach: what is left of a cube without some threads, variables and literals.

*Source*: Conchon, Goel, Krstić, Mebsout and Zaïdi, Invariants for finite instances and beyond, FMCAD 2013 (BRAB).
A guess is a question to the search, not an answer: it is proved with everything that leads into it, or given up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, islice

from duet.plip.syntax import Atom, Linear, Relation
from duet.plip.terms import atom, scale, term_cells
from duet.verify.covering import instances
from duet.verify.cube import Cube, made, renumbered, thread_of
from duet.verify.integers import put, solutions, without
from duet.verify.tables import Tables

_MOST = 1_500  # candidates of a cube
_MOST_ASKED = 250  # of which so many are looked up
_POOL = 12  # literals of which every choice of two is tried
_ALL_OF = 4  # literals of which every choice of three is tried
_SUMMANDS = 3


def candidates(cube: Cube, tables: Tables, is_initial: Callable[[Cube], bool]) -> list[Cube]:
    """Larger cubes that no state seen is in, the simplest first; there may be none."""
    found = sorted(set(islice(_larger(cube), _MOST)), key=_size)[:_MOST_ASKED]
    return [one for one in found if tables.may_judge(one) and not tables.holds(one) and not is_initial(one)]


def simplest(cubes: Iterable[Cube], most: int) -> list[Cube]:
    """The first of some cubes that are not plainly in one before."""
    found: list[Cube] = []
    for cube in cubes:
        if len(found) == most:
            break
        if not any(_is_inside(cube, other) for other in found):
            found.append(cube)
    return found


def parts(cube: Cube, tables: Tables) -> tuple[Cube, ...]:
    """Cubes that no state seen is in and of whose union a cube is part, one for each cell of one literal; maybe none.

    A sum that is small has a small summand: where `g + x <= 0` holds, so does `g <= 0` or `x <= 0`.
    """
    for literal in cube.literals:
        cells = literal.term.terms
        if literal.relation is not Relation.LE or not 1 < len(cells) <= _SUMMANDS or not tables.may_judge(cube):
            continue
        least = [tables.least(cube.locations, cell, factor) for cell, factor in cells]
        if any(value is None for value in least) or sum(filter(None, least)) + literal.term.constant <= 0:
            continue
        found = []
        for (cell, factor), value in zip(cells, least, strict=True):
            assert value is not None
            smaller = atom(Linear(((cell, factor),), 1 - value), Relation.LE)
            assert isinstance(smaller, Atom)
            larger = made(cube.locations, (smaller,))
            assert larger is not None
            found.append(next(iter(candidates(larger, tables, lambda _: False)), larger))
        return tuple(found)
    return ()


def _is_inside(cube: Cube, other: Cube) -> bool:
    """Whether a cube is plainly in another one."""
    mine = set(cube.literals)
    return any(mine.issuperset(literals) for literals in islice(instances(other, cube), 24))


def _size(cube: Cube) -> tuple[int, int, int, int, int, str]:
    """What is simpler comes first, of that what is larger: an inequality rather than an equality."""
    variables = {cell for literal in cube.literals for cell in term_cells(literal.term)}
    equalities = sum(literal.relation is Relation.EQ for literal in cube.literals)
    numbers = sum(abs(literal.term.constant) for literal in cube.literals)
    return (
        len(variables) + len(cube.locations),
        len(cube.locations),
        numbers,
        len(cube.literals),
        equalities,
        repr(cube),
    )


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
    """None, one or two of some literals and of what their equalities make of them, or all."""
    yield literals
    yield ()
    parts = dict.fromkeys(part for literal in literals for part in _weaker(literal))
    pool = list(dict.fromkeys((*parts, *_substituted(literals))))[:_POOL]
    for one in pool:
        yield (one,)
    yield from combinations(pool, 2)
    if len(literals) <= _ALL_OF:
        yield from combinations(literals, 3)


def _substituted(literals: tuple[Atom, ...]) -> Iterator[Atom]:
    """The other literals with what an equality says of each of its variables."""
    for equality in literals:
        if equality.relation is Relation.EQ:
            for name, value in solutions(equality):
                for other in literals:
                    if other is not equality and name in term_cells(other.term):
                        yield from put([other], name, value)


def _weaker(literal: Atom) -> list[Atom]:
    if literal.relation is not Relation.EQ:
        return [literal]
    parts = (atom(scale(literal.term, sign), Relation.LE) for sign in (1, -1))
    return [literal, *(part for part in parts if isinstance(part, Atom))]
