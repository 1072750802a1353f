"""Observable conditions: the atoms over globals through which threads block each other.

*Source*: thesis section 3.6.2; *deviation*: the negation of each atom of a guard is a condition too, since the holder
of a lock that is taken by `[m = 0]` knows only that negation.
"""

from __future__ import annotations

from collections.abc import Iterator

from duet.flow.packs import Packing
from duet.interference.annotation import Annotation
from duet.interference.shares import Share, shares
from duet.plip.syntax import Assert, Atom, Atomic, Formula, Guard, Instruction, Linear, Program, Relation
from duet.plip.terms import atoms, negate_atom, term_cells


def observable_conditions(program: Program) -> tuple[Atom, ...]:
    """The atoms of all guards and stopping checks over globals that are not summaries; entry 2i+1 negates entry 2i."""
    globals_ = frozenset(name for name in program.globals if not program.cells[name].summary)
    found: dict[Atom, None] = {}
    for command in program.commands:
        for formula in _guards(command.instruction):
            for atom in atoms(formula):
                opposite = negate_atom(atom)
                assert isinstance(opposite, Atom)
                if term_cells(atom.term) <= globals_ and atom not in found:
                    found[atom] = found[opposite] = None
    return tuple(found)


def observed_packs(program: Program, packing: Packing) -> frozenset[int]:
    """The packs with a cell in an observable condition, or a share: their values are wanted at every location."""
    cells = {cell for atom in observable_conditions(program) for cell in term_cells(atom.term)}
    cells.update(share.own for found in shares(program).values() for share in found)
    return frozenset(packing.pack_of[cell] for cell in cells)


class Observer:
    """Tells which observable conditions hold where, with what a thread's shares say (see `shares`)."""

    def __init__(self, program: Program, annotation: Annotation) -> None:
        self.conditions = observable_conditions(program)
        self._template_of = program.template_of
        self._annotation = annotation
        self._shares = {
            template: tuple((_is_held(share), self._implied(share)) for share in found)
            for template, found in shares(program).items()
        }

    def entailed(self, location: int) -> int:
        """The conditions that hold at a location, as a set of bits."""
        known = (1 << c for c, atom in enumerate(self.conditions) if self._annotation.entails(location, atom))
        result = sum(known)
        for held, implied in self._shares.get(self._template_of[location], ()):
            if implied & ~result and self._annotation.entails(location, held):
                result |= implied
        return result

    def _implied(self, share: Share) -> int:
        return sum(1 << c for c, atom in enumerate(self.conditions) if share.implies(atom))


def _is_held(share: Share) -> Atom:
    """`own >= 1`."""
    return Atom(Linear(((share.own, -1),), 1), Relation.LE)


def negated(conditions: int) -> int:
    """The negations of a set of conditions: neighbours change places (see `observable_conditions`)."""
    even = ((1 << 2 * (conditions.bit_length() // 2 + 1)) - 1) // 3  # 0b...010101, at least as long as the set
    return (conditions & even) << 1 | conditions >> 1 & even


def _guards(instruction: Instruction) -> Iterator[Formula]:
    match instruction:
        case Guard(condition):
            yield condition
        case Assert(condition, _, stops):
            if stops:
                yield condition
        case Atomic(steps):
            for step in steps:
                yield from _guards(step)
        case _:
            return
