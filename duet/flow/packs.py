"""Packs: the sets of cells whose values flow together as one record.

*Source*: thesis 3.6.1 and Alg. 2, with a cap on the size of a pack.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import networkx as nx
from networkx.utils import UnionFind

from duet.plip.graphs import control_graph, strong_components
from duet.plip.syntax import (
    And,
    Assert,
    Assign,
    Atom,
    Atomic,
    Compute,
    Formula,
    Guard,
    Instruction,
    Linear,
    Operation,
    Program,
    Relation,
)
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


def without_others(packing: Packing, cells: Collection[str]) -> Packing:
    """The packing in which packs with none of some cells are taken apart."""
    kept = frozenset(cells)
    packs = (pack for pack in packing.packs if not kept.isdisjoint(pack))
    others = ((cell,) for pack in packing.packs if kept.isdisjoint(pack) for cell in pack)
    return Packing(tuple(sorted((*packs, *others))))


def singletons(program: Program) -> Packing:
    """Every cell on its own: the non-relational data flow graph."""
    return Packing(tuple((cell,) for cell in program.cells))


def _nothing(_one: str, _other: str) -> bool:
    return False


def related(
    program: Program,
    limit: int,
    together: Iterable[tuple[str, ...]] = (),
    first: Iterable[tuple[str, ...]] = (),
    protected: Iterable[tuple[str, ...]] = (),
    are_apart: Callable[[str, str], bool] = _nothing,
) -> Packing:
    """Alg. 2: cells meet in a pack through assignments and guards that are all local or all global.

    *Deviation*: a merge that would make a pack larger than `limit` cells is left out, summary cells stay alone, and the
    conditions of checks count as guards. After those that relate two cells come those that relate more; those of each
    group in `together` meet, too, and those in each that is `protected`, whose first cells matter most, and then cells
    that count up or down in one loop. The groups in `first` come before all others. What is protected or counted does
    not bring cells together that `are_apart`: whoever writes one of them then knows nothing of the other.
    """
    packs = _Packs(program, limit)
    groups = [sorted(group) for command in program.commands for group in groups_of(command.instruction)]
    for cells in (*first, *sorted(groups, key=lambda group: len(group) > 2), *together):
        packs.merge(cells)
    for cells in (*protected, *counters(program)):
        packs.merge(cells, are_apart)
    return Packing(tuple(sorted(tuple(sorted(pack)) for pack in packs.classes.to_sets())))


class _Packs:
    """Classes of cells under construction."""

    def __init__(self, program: Program, limit: int) -> None:
        self.program = program
        self.limit = limit
        self.classes = UnionFind(program.cells)
        self.members = {name: [name] for name in program.cells}

    def merge(self, group: Sequence[str], are_apart: Callable[[str, str], bool] = _nothing) -> None:
        """Puts cells into one pack as far as they may be related and as it does not get too large."""
        if not _may_relate(self.program, group):
            return
        first, *rest = group
        for other in rest:
            left, right = (self.members[self.classes[name]] for name in (first, other))
            if left is right or len(left) + len(right) > self.limit:
                continue
            if not any(are_apart(*pair) for pair in product(left, right)):
                self.classes.union(first, other)
                self.members[self.classes[first]] = left + right


def _may_relate(program: Program, group: Iterable[str]) -> bool:
    cells = [program.cells[name] for name in group]
    return len({cell.template for cell in cells}) == 1 and not any(cell.summary for cell in cells)


def groups_of(instruction: Instruction) -> Iterator[frozenset[str]]:
    """The sets of cells that an instruction relates, of at least two each."""
    match instruction:
        case Assign(target, value):
            group = term_cells(value) | {target}
            if len(group) >= 2:
                yield group
        case Guard(condition) | Assert(condition):
            parts = condition.parts if isinstance(condition, And) else (condition,)
            yield from (group for part in parts if len(group := formula_cells(part)) >= 2)
        case Atomic(steps):
            yield from _of_all(steps)
        case _:
            return


def _of_all(instructions: Iterable[Instruction]) -> Iterator[frozenset[str]]:
    for instruction in instructions:
        yield from groups_of(instruction)


def counters(program: Program) -> Iterator[tuple[str, ...]]:
    """The cells that each loop changes by constants, inner loops first; globals and locals apart.

    Locks are none, which a round takes and gives back: what is counted is related while they are held, not to them.
    """
    for template in program.templates.values():
        commands = [program.commands[c] for c in template.commands]
        steps = [(command, step) for command in commands for step in _counted(command.instruction)]
        locks = _taken_and_given_back([step for _, step in steps])
        counted = [(command.source, command.target, step.cell) for command, step in steps if step.cell not in locks]
        for loop in loops(control_graph(program, template.commands)) if counted else ():
            cells: dict[str | None, dict[str, None]] = {}
            for source, target, cell in counted:
                if source in loop and target in loop:
                    cells.setdefault(program.cells[cell].template, {})[cell] = None
            yield from (tuple(found) for found in cells.values() if len(found) > 1)


@dataclass(frozen=True, slots=True)
class _Counted:
    """A step that adds a constant to a cell, and whether it does so only where the cell is at least some number."""

    cell: str
    by: int
    is_asked: bool


def _taken_and_given_back(changes: Collection[_Counted]) -> frozenset[str]:
    """The cells that are lowered as well as raised, the latter only where they are at least some number.

    So are locks that count their readers. What semaphores have left is raised wherever there is room for more.
    """
    ups, downs = ([it for it in changes if it.by * sign > 0] for sign in (1, -1))
    return frozenset({it.cell for it in downs} & {it.cell for it in ups}) - {it.cell for it in ups if not it.is_asked}


def loops(graph: nx.DiGraph[int]) -> Iterator[frozenset[int]]:
    """The loops of a control flow graph, inner ones first: strong components, then those without their entries."""
    found: list[frozenset[int]] = []
    work = [graph]
    while work:
        part = work.pop()
        for component in strong_components(part, part.successors):
            if len(component) > 1:
                found.append(frozenset(component))
                entered = {node for node in component if any(p not in component for p in graph.predecessors(node))}
                work.append(part.subgraph(component - (entered or {min(component)})))
    return reversed(found)


def _counted(instruction: Instruction, asked: frozenset[str] = frozenset()) -> Iterator[_Counted]:
    match instruction:
        case Assign(target, Linear(((source, 1),), constant)) | Compute(
            target, Operation.WRAP, (Linear(((source, 1),), constant), *_)
        ) if source == target and constant:
            yield _Counted(target, constant, target in asked)
        case Atomic(steps):
            for step in steps:
                yield from _counted(step, asked)
                asked |= frozenset(_bounded_below(step.condition)) if isinstance(step, Guard) else frozenset()
        case _:
            return


def _bounded_below(condition: Formula) -> Iterator[str]:
    """The cells of which a condition says that they are at least, or just, some number."""
    for part in condition.parts if isinstance(condition, And) else (condition,):
        match part:
            case Atom(Linear(((cell, k),)), relation) if relation is Relation.EQ or (k < 0 and relation is Relation.LE):
                yield cell
            case _:
                continue
