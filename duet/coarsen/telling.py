"""Whether equalities are worth another fixpoint: whether they add information that open checks may depend on.

*Approximates*: either way; it decides only about the time that is spent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from domains.values import arithmetic, number
from domains.values.number import Number
from duet.absint.invariants import Invariants
from duet.flow.certain import Certain
from duet.plip.syntax import Assert, Atom, Program
from duet.plip.terms import atoms, term_cells


def is_telling(invariants: Invariants, certain: Certain, open_checks: Collection[int]) -> bool:
    """Whether a guard on a copy narrows what is known of a cell of concern, or a check compares equal cells."""
    program = invariants.graph.program
    if any(_compares_equals(program, index, certain) for index in open_checks):
        return True
    concerned = _concerned(invariants, open_checks)
    guarded = _guarded(invariants)
    return any(
        cell in concerned and not number.leq(invariants.space.number(state, cell), arithmetic.shift(narrow, offset))
        for location, found in certain.items()
        if not invariants.is_bottom(location)
        for state in (invariants.state(location),)
        for cell, mate, offset in _pairs(found)
        if invariants.space.packing.pack_of[cell] in state
        for narrow in guarded.get(mate, ())
    )


def _compares_equals(program: Program, index: int, certain: Certain) -> bool:
    command = program.commands[index]
    assert isinstance(command.instruction, Assert)
    terms = [term_cells(atom.term) for atom in atoms(command.instruction.condition)]
    return any(term_cells(one.term) <= cells for one in certain.get(command.source, ()) for cells in terms)


def _pairs(found: Sequence[Atom]) -> Iterator[tuple[str, str, int]]:
    """`(cell, mate, offset)`, both ways: the cell is the mate plus the offset."""
    for one in found:
        (left, k), (right, _) = one.term.terms
        offset = -k * one.term.constant
        yield left, right, offset
        yield right, left, -offset


def _concerned(invariants: Invariants, open_checks: Collection[int]) -> frozenset[str]:
    """The cells whose values open checks may be computed from."""
    graph = invariants.graph
    sources: dict[str, set[str]] = defaultdict(set)
    for effect in graph.effects:
        for target in effect.writes:
            sources[target] |= effect.reads
    found = {cell for index in open_checks for cell in graph.effects[index].reads}
    work = list(found)
    while work:
        for source in sources.get(work.pop(), ()):
            if source not in found:
                found.add(source)
                work.append(source)
    return frozenset(found)


def _guarded(invariants: Invariants) -> Mapping[str, Sequence[Number]]:
    """What is known of each cell right after the guards on it."""
    graph, solution, packing = invariants.graph, invariants.solution, invariants.space.packing
    found: dict[str, list[Number]] = defaultdict(list)
    for command, pack in graph.own.defined:
        if pack < len(packing.packs) and (value := solution.definition(command, pack)) is not None:
            for position, cell in enumerate(packing.packs[pack]):
                if cell in graph.effects[command].reads and cell not in graph.effects[command].writes:
                    found[cell].append(invariants.space.domain.number(value, position))
    return found
