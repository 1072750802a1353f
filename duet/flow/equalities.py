"""Equalities between copies and globals that hold in every execution, where they tell something of what is read.

*Source*: none in the thesis; `t := g` and `[t < 10]` say of g what its own flows do not. In Def. 3.3.3 the invariant at
a location is the join over the definitions that reach it. Here it is the meet of that with `t == g + c`. Both hold in
every execution, hence so does the meet: an equality is given only where every path of the thread has copied one to the
other since either was written, and no other thread can write g while this one is at any location in between
(`duet.interference.stable`, under invariants that hold in every execution). For a step this is a guard that passes in
every state that the program can be in there, so that the program with these guards is the same program.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from duet.flow.certain import Certain
from duet.flow.copies import Copies, Facts
from duet.flow.effects import effects
from duet.flow.forward import Answer, certain_copies
from duet.plip.syntax import Assert, Atom, Atomic, Guard, Instruction, Program, Relation
from duet.plip.terms import formula_cells, linear

# Copies of a cell beyond these tell nothing new, as a rule.
_MOST = 6


def equalities(program: Program, is_stable: Answer, observed: Collection[str]) -> Certain:
    """The equalities at each location that can tell something of a cell that is read there, or that is in `observed`.

    `is_stable`: no other thread can write the global cell while a thread is at the location; a no is always allowed.
    """
    narrowed = _narrowed(program)
    reads = [effect.reads for effect in effects(program)]
    found: dict[int, tuple[Atom, ...]] = {}
    for template in program.templates.values():
        copies, facts = certain_copies(program, template, is_stable)
        for location, known in facts.items():
            if known:
                cells = frozenset(observed).union(*(reads[index] for index in program.outgoing[location]))
                atoms = tuple(dict.fromkeys(_telling(copies, known, sorted(cells), narrowed)))
                if atoms:
                    found[location] = atoms
    return found


def _narrowed(program: Program) -> frozenset[str]:
    """The cells that some guard or check says something of."""
    return frozenset().union(*(_guarded(command.instruction) for command in program.commands))


def _guarded(instruction: Instruction) -> frozenset[str]:
    match instruction:
        case Guard(condition) | Assert(condition):
            return formula_cells(condition)
        case Atomic(steps):
            return frozenset().union(*map(_guarded, steps))
        case _:
            return frozenset()


def _telling(copies: Copies, known: Facts, cells: Iterable[str], narrowed: Collection[str]) -> Iterator[Atom]:
    """The equalities of the cells with others that a guard may have told something of."""
    for cell in cells:
        for local, offset in copies.equal_to(known, cell)[-_MOST:]:
            if local in narrowed:
                yield _equal(local, cell, offset)
        for source, offset in copies.equals_of(known, cell)[-_MOST:]:
            if source in narrowed:
                yield _equal(cell, source, offset)
            for other, its_offset in copies.equal_to(known, source)[-_MOST:]:
                if other != cell and other in narrowed:
                    yield _equal(cell, other, offset - its_offset)


def _equal(left: str, right: str, offset: int) -> Atom:
    """`left == right + offset`."""
    return Atom(linear({left: 1, right: -1}, -offset), Relation.EQ)
