"""Observable conditions: the atoms over globals through which threads block each other.

*Source*: thesis section 3.6.2; *deviation*: the negation of each atom of a guard is a condition too, since the holder
of a lock that is taken by `[m = 0]` knows only that negation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from duet.flow.packs import Packing
from duet.interference.annotation import Annotation
from duet.interference.shares import Share, shares
from duet.plip.once import once
from duet.plip.syntax import Atom, Formula, Guard, Linear, Program, Relation, guards, steps
from duet.plip.terms import atoms, negate_atom, term_cells


@once
def observable_conditions(program: Program) -> tuple[Atom, ...]:
    """The atoms of all guards and stopping checks over globals that are not summaries; entry 2i+1 negates entry 2i."""
    return _over_globals(program, (formula for command in program.commands for formula in guards(command.instruction)))


def conditions_of_guards(program: Program) -> frozenset[Atom]:
    """Those of the observable conditions that guards have, which threads wait for or choose their way by."""
    found = (step for command in program.commands for step in steps(command.instruction) if isinstance(step, Guard))
    return frozenset(_over_globals(program, (step.condition for step in found)))


def _over_globals(program: Program, formulas: Iterable[Formula]) -> tuple[Atom, ...]:
    globals_ = frozenset(name for name in program.globals if not program.cells[name].summary)
    found: dict[Atom, None] = {}
    for atom in (atom for formula in formulas for atom in atoms(formula)):
        opposite = negate_atom(atom)
        assert isinstance(opposite, Atom)
        if term_cells(atom.term) <= globals_ and atom not in found:
            found[atom] = found[opposite] = None
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Group:
    """The conditions over the same cells, each with its bit; what is known is `(asked, true)` by what it depends on."""

    cells: frozenset[str]
    atoms: tuple[tuple[int, Atom], ...]
    mask: int
    entailed: dict[Hashable, int] = field(default_factory=dict)
    refused: dict[Hashable, tuple[int, int]] = field(default_factory=dict)

    def entailed_at(self, annotation: Annotation, location: int) -> int:
        """Those that are known at a location."""
        (outlook,) = annotation.outlooks((location,), self.cells)
        found = self.entailed.get(outlook)
        if found is None:
            found = sum(bit for bit, atom in self.atoms if annotation.entails(location, atom))
            self.entailed[outlook] = found
        return found

    def refused_by(self, annotation: Annotation, command: int, wanted: int) -> int:
        """Those that a command refuses, of those that are wanted."""
        if not wanted:
            return 0
        stance = annotation.stance(command, self.cells)
        asked, found = self.refused.get(stance, (0, 0))
        new = wanted & ~asked
        if new:
            found |= sum(bit for bit, atom in self.atoms if new & bit and annotation.refuses(command, atom))
            self.refused[stance] = (asked | new, found)
        return found & wanted


@dataclass(frozen=True, slots=True)
class Conditions:
    """The observable conditions of a program as bits, and what annotations have said of them: none is asked twice.

    `groups` are those over the same cells, `all` are all of them: most commands look at the same of what is known.
    `shares` are what the shares of each template say where they are held (see `duet.interference.shares`).
    *Requires*: where the outlooks or stances of two annotations are the same, so are their answers.
    """

    atoms: tuple[Atom, ...]
    groups: tuple[_Group, ...]
    all: _Group
    template_of: Mapping[int, str]
    shares: Mapping[str, tuple[tuple[Atom, int], ...]]

    @staticmethod
    def of(program: Program) -> Conditions:
        """The conditions of a program, of which nothing is known yet."""
        found = observable_conditions(program)
        groups: dict[frozenset[str], list[tuple[int, Atom]]] = defaultdict(list)
        for c, atom in enumerate(found):
            groups[term_cells(atom.term)].append((1 << c, atom))
        said = {
            template: tuple((_is_held(share), _implied(share, found)) for share in owned)
            for template, owned in shares(program).items()
        }
        asked = (_Group(cells, tuple(atoms), sum(bit for bit, _ in atoms)) for cells, atoms in groups.items())
        whole = _Group(frozenset().union(*groups), tuple(it for atoms in groups.values() for it in atoms), -1)
        return Conditions(found, tuple(asked), whole, program.template_of, said)

    def entailed(self, annotation: Annotation, locations: Collection[int]) -> Mapping[int, int]:
        """The conditions that are known at each of some locations, from shares too."""
        result = dict.fromkeys(locations, sum(group.mask for group in self.groups))
        reached = [location for location in locations if not annotation.is_bottom(location)]
        known = self.all.entailed
        for location, outlook in zip(reached, annotation.outlooks(reached, self.all.cells), strict=True):
            if outlook not in known:
                known[outlook] = sum(group.entailed_at(annotation, location) for group in self.groups)
            result[location] = known[outlook]
        for location in locations if self.shares else ():
            result[location] |= self.shared(annotation, location, ~result[location])
        return result

    def shared(self, annotation: Annotation, location: int, useful: int = -1) -> int:
        """The conditions that are known at a location from shares that its thread has there, if any are `useful`."""
        found = 0
        for held, implied in self.shares.get(self.template_of[location], ()):
            if implied & useful & ~found and annotation.entails(location, held):
                found |= implied
        return found

    def refused(self, annotation: Annotation, command: int, useful: int) -> int:
        """The conditions that a command refuses, of those that are `useful`."""
        if not useful:
            return 0
        stance = annotation.stance(command, self.all.cells)
        asked, found = self.all.refused.get(stance, (0, 0))
        new = useful & ~asked
        if new:
            found |= sum(group.refused_by(annotation, command, new & group.mask) for group in self.groups)
            self.all.refused[stance] = (asked | new, found)
        return found & useful


def observed_packs(program: Program, packing: Packing) -> frozenset[int]:
    """The packs with a cell in an observable condition, or a share: their values are wanted at every location."""
    cells = {cell for atom in observable_conditions(program) for cell in term_cells(atom.term)}
    cells.update(share.own for found in shares(program).values() for share in found)
    return frozenset(packing.pack_of[cell] for cell in cells)


def _implied(share: Share, conditions: Sequence[Atom]) -> int:
    return sum(1 << c for c, atom in enumerate(conditions) if share.implies(atom))


def _is_held(share: Share) -> Atom:
    """`own >= 1`."""
    return Atom(Linear(((share.own, -1),), 1), Relation.LE)


def negated(conditions: int) -> int:
    """The negations of a set of conditions: neighbours change places (see `observable_conditions`)."""
    even = ((1 << 2 * (conditions.bit_length() // 2 + 1)) - 1) // 3  # 0b...010101, at least as long as the set
    return (conditions & even) << 1 | conditions >> 1 & even
