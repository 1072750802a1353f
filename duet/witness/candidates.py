"""Expressions in C that may hold at places of a program: what data flow graphs say there of the variables in scope.

The front end tells which cell a variable is: at each place each variable is asked for by an invariant of its own.
Nothing here has to be right: whatever comes out is put into the program, and kept only where it is proved.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from domains.values import number
from domains.values.number import Number
from duet.absint.invariants import Invariants
from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.results import Fixpoint
from duet.coarsen.words import TYPE_BOUNDS, has_gaps
from duet.errors import DuetError
from duet.frontend.source.ghosts import lockings, words
from duet.frontend.source.invariants import Place, declared, places
from duet.options import INVARIANT, AnalysisOptions, FrontendOptions, Invariant
from duet.plip.syntax import Assert, Program
from duet.plip.terms import formula_cells
from duet.reading import read, read_units
from duet.witness.document import Said
from duet.witness.locks import locks_of

_MOST_HERE, _MOST = 12, 240
"""Variables of which one place, and all places, are asked."""
_PATH = re.compile(r"(?P<variable>[A-Za-z_]\w*)(?:\.[A-Za-z_]\w*|\[\d+\])*")
_TYPE_ENDS = frozenset(end for bounds in TYPE_BOUNDS for end in bounds) - {0}
_PROBE = " == 0"


def candidates(files: tuple[str, ...], options: FrontendOptions, analysis: AnalysisOptions) -> Said:
    """Invariants that are worth a try, by place. *Raises*: DuetError for a program that cannot be read."""
    labels = sorted({cell.label for cell in read(files, options, Clock()).program.cells.values()})
    units = [unit for unit, _ in read_units(files, options, Clock())]
    there = [place for unit in units for place in places(unit)]
    locks = locks_of([*lockings(units[0])], words(units[0])) if len(units) == 1 else locks_of((), frozenset())
    everywhere = frozenset[str]().union(*(declared(item) for unit in units for item in unit.ast.ext))
    named = [item for place in (*there, *locks.releases(everywhere)) for item in _asked(place, labels)]
    asked = _readable(files, options, named[:_MOST])
    program = _read_with(files, options, asked)
    if program is None or not asked:
        return Said()
    found = _readable(files, options, tuple(_found(asked, program, analyse(program, analysis).fixpoints)))
    ghosts = locks.said()
    with_ghosts = replace(options, ghosts=ghosts.ghosts, ghost_updates=ghosts.updates)
    guarded = _readable(files, with_ghosts, tuple(locks.guarded(found, there)))
    return replace(ghosts, invariants=(*found, *guarded)) if guarded else Said(found)


def _readable(files: tuple[str, ...], options: FrontendOptions, asked: Sequence[Invariant]) -> tuple[Invariant, ...]:
    """Those invariants that the front end takes for C: halves are tried until what is wrong stands alone."""
    if _read_with(files, options, asked) is not None:
        return tuple(asked)
    texts = list(dict.fromkeys(item.expression for item in asked))
    if len(texts) == 1:
        return ()
    halves = set(texts[: len(texts) // 2])
    parts = ([item for item in asked if (item.expression in halves) is chosen] for chosen in (True, False))
    return tuple(item for part in parts for item in _readable(files, options, part))


def _asked(place: Place, labels: Iterable[str]) -> list[Invariant]:
    """An invariant for each variable at a place, or part of one, that is a number."""
    paths = (label for label in labels if (path := _PATH.fullmatch(label)) and path["variable"] in place.variables)
    span = place.span
    made = (Invariant(span.file, span.line, span.column, place.is_of_loop, f"{path}{_PROBE}") for path in paths)
    return list(made)[:_MOST_HERE]


def _read_with(files: tuple[str, ...], options: FrontendOptions, asked: Sequence[Invariant]) -> Program | None:
    try:
        return read(files, replace(options, invariants=tuple(asked)), Clock()).program
    except DuetError:
        return None


def _found(asked: Sequence[Invariant], program: Program, fixpoints: Sequence[Fixpoint]) -> Iterator[Invariant]:
    """What is known of each variable that was asked for, over all copies of its place; then relations."""
    copies = _copies(program)
    names: dict[tuple[Invariant, str], str] = {}
    for item in asked:
        found = copies.get(item, ())
        values = [_number(fixpoints, location, cell) for location, cell in found]
        known = [value for value in values if value is not None]
        path = item.expression.removesuffix(_PROBE)
        names |= {(replace(item, expression=""), cell): path for _, cell in found}
        if item in copies and not found:
            yield item  # the front end knows whether it holds
        if known:
            yield from (replace(item, expression=text) for text in _texts(path, reduce(number.join, known)))
    relations = {replace(item, expression=text): None for item, text in _relations(copies, names, fixpoints)}
    yield from relations


def _copies(program: Program) -> Mapping[Invariant, list[tuple[int, str]]]:
    """The locations at which each invariant is checked, with its cell; which kind of place it is about is left open."""
    found: dict[Invariant, list[tuple[int, str]]] = {}
    for command in program.commands:
        match command.instruction:
            case Assert(condition=condition, check=check) if check.property_name == INVARIANT:
                cells = formula_cells(condition)
                for is_of_loop in (False, True):
                    key = Invariant(check.file, check.line, check.column, is_of_loop, check.expression)
                    found.setdefault(key, []).extend((command.source, cell) for cell in cells)
            case _:
                pass
    return found


def _shown(fixpoints: Iterable[Fixpoint], location: int) -> Iterator[Invariants]:
    """What certificates can show of a location that is reached."""
    steps = (step.invariants for fixpoint in fixpoints for step in fixpoint.steps)
    return (found for found in steps if not found.is_bottom(location))


def _number(fixpoints: Iterable[Fixpoint], location: int, cell: str) -> Number | None:
    """What is known of a cell at a location; None where nobody gets there."""
    value: Number | None = None
    for found in _shown(fixpoints, location):
        here = found.space.number(found.state(location), cell)
        value = here if value is None else number.meet(value, here) or value
    return value


def _texts(path: str, found: Number) -> Iterator[str]:
    """What a number says, in C; nothing that its type says anyway."""
    if found.lo == found.hi:
        yield f"{path} == {_constant(int(found.lo))}"
        return
    if has_gaps(found):
        yield " || ".join(f"{path} == {_constant(member)}" for member in found.members)
        return
    if found.modulus > 1 and found.lo >= 0:
        yield f"{path} % {found.modulus} == {found.residue}"
    if found.lo not in _TYPE_ENDS and found.lo != -math.inf:
        yield f"{path} >= {_constant(int(found.lo))}"
    if found.hi not in _TYPE_ENDS and found.hi != math.inf:
        yield f"{path} <= {_constant(int(found.hi))}"
    if found.lo > 0 or found.hi < 0:
        yield f"{path} != 0"


def _constant(value: int) -> str:
    suffix = "" if -(1 << 31) < value < 1 << 31 else "LL" if -(1 << 63) < value < 1 << 63 else "ULL"
    return f"{value}{suffix}"


def _relations(
    copies: Mapping[Invariant, list[tuple[int, str]]],
    names: Mapping[tuple[Invariant, str], str],
    fixpoints: Sequence[Fixpoint],
) -> Iterator[tuple[Invariant, str]]:
    """Relations of several variables at their places, as sums that do not overflow."""
    for (place, cell), _ in names.items():
        here = {location for item, found in copies.items() if replace(item, expression="") == place
                for location, one in found if one == cell}  # fmt: skip
        for location in sorted(here):
            for known in _shown(fixpoints, location):
                pack = known.space.packing.pack_of[cell]
                cells, state = known.space.packing.packs[pack], known.state(location)
                for (terms, rest), relation in known.space.domain.constraints(state[pack]) if pack in state else ():
                    paths = [(factor, names.get((place, cells[index]))) for index, factor in terms]
                    if len(terms) > 1 and all(path is not None for _, path in paths):
                        total = " + ".join(f"{factor}LL * {path}" for factor, path in paths)
                        yield place, f"{total} {relation} {_constant(-rest)}"
