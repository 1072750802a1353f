"""Packs: the sets of cells whose values flow together as one record.

*Source*: thesis 3.6.1 and Alg. 2, with a cap on the size of a pack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from networkx.utils import UnionFind

from duet.plip.syntax import Assert, Assign, Atomic, Guard, Instruction, Program
from duet.plip.terms import formula_cells, term_cells


@dataclass(frozen=True)
class Packing:
    """A partition of all cells of a program; a pack is known by its index, its cells are sorted.

    A cell's position in its pack is its variable index in the numeric domain.
    """

    packs: tuple[tuple[str, ...], ...]

    @cached_property
    def pack_of(self) -> dict[str, int]:
        """The pack of each cell."""
        return {cell: index for index, pack in enumerate(self.packs) for cell in pack}

    @cached_property
    def position(self) -> dict[str, int]:
        """The variable index of each cell in its pack."""
        return {cell: place for pack in self.packs for place, cell in enumerate(pack)}


def singletons(program: Program) -> Packing:
    """Every cell on its own: the non-relational data flow graph."""
    return Packing(tuple((cell,) for cell in program.cells))


def related(program: Program, limit: int) -> Packing:
    """Alg. 2: cells meet in a pack through two-variable assignments and guards that are all local or all global.

    *Deviation*: a merge that would make a pack larger than `limit` cells is left out, summary cells stay alone, and the
    conditions of checks count as guards.
    """
    classes = UnionFind(program.cells)
    size = dict.fromkeys(program.cells, 1)
    for command in program.commands:
        for group in _groups(command.instruction):
            if not _may_relate(program, group):
                continue
            first, *rest = sorted(group)
            for other in rest:
                left, right = classes[first], classes[other]
                if left != right and size[left] + size[right] <= limit:
                    total = size[left] + size[right]
                    classes.union(left, right)
                    size[classes[left]] = total
    packs = sorted(tuple(sorted(pack)) for pack in classes.to_sets())
    return Packing(tuple(packs))


def _may_relate(program: Program, group: frozenset[str]) -> bool:
    cells = [program.cells[name] for name in group]
    return len({cell.template for cell in cells}) == 1 and not any(cell.summary for cell in cells)


def _groups(instruction: Instruction) -> Iterator[frozenset[str]]:
    """The sets of cells that an instruction relates."""
    match instruction:
        case Assign(target, value):
            group = term_cells(value) | {target}
            if len(group) == 2:
                yield group
        case Guard(condition) | Assert(condition):
            group = formula_cells(condition)
            if len(group) >= 2:
                yield group
        case Atomic(steps):
            yield from _of_all(steps)
        case _:
            return


def _of_all(instructions: Iterable[Instruction]) -> Iterator[frozenset[str]]:
    for instruction in instructions:
        yield from _groups(instruction)
