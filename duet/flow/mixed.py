"""Packs of one template each, with its locals and with globals in them, around bundles of globals that all share.

A bundle is a pack of globals as in `duet.flow.packs`. In the packs of a template it is whole or not at all, so that
what a thread knows of it can be handed to the others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

from networkx.utils import UnionFind

from duet.flow.effects import instruction_effects
from duet.flow.packs import Packing, groups_of
from duet.plip.graphs import postorder
from duet.plip.syntax import (
    Assert,
    Assign,
    Atomic,
    Compute,
    Guard,
    Havoc,
    Instruction,
    Operation,
    Program,
    Spawn,
    steps,
)
from duet.plip.terms import formula_cells, term_cells, variable
from duet.plip.touched import reads, writes


@dataclass(frozen=True)
class MixedPacking:
    """`bundles` are sets of globals, and `packings` the packs of each template: of its locals and of all globals.

    `tracked` are the packs of each template of which something is to be known, by index; every bundle is in one of them
    where the template uses one of its cells.
    """

    bundles: tuple[tuple[str, ...], ...]
    packings: Mapping[str, Packing]
    tracked: Mapping[str, tuple[int, ...]]


def mixed(
    program: Program,
    open_checks: Collection[int],
    packs: Packing,
    limit: int,
    besides: Collection[str] = (),
    is_alone: bool = False,
    is_handed_on: bool = False,
) -> MixedPacking | None:
    """Packs for the checks that are open, None if none of them has a pack of several cells; with `is_alone`, of any.

    Cells meet through assignments, guards and checks, first in those of `open_checks`, then in what these ask for is
    made of where threads are given that, last where one is a copy of the other. A merge that would make a pack larger
    than `limit` is left out. Bundles are those of `packs` that are of globals. A pack is tracked if one of its cells is
    in an open check, or in a bundle with one that is; where there is such a pack, those of the cells `besides` are
    tracked, too. With `is_handed_on`, so is a bundle of several cells by who starts threads that use it: what it begins
    with says how these are related. A summary cell never is: what is written to it does not take the place of what it
    held.
    """
    shared = [
        pack for pack in packs.packs if program.cells[pack[0]].template is None and not program.cells[pack[0]].summary
    ]
    asked = frozenset().union(*(_asked(program, index) for index in open_checks))
    given, chosen = _given(program, asked), _chosen(program)
    packings = {
        name: _packing(program, name, shared, _relations(program, name, open_checks, given[name], chosen), limit)
        for name in program.templates
    }
    wanted = asked.union(*(bundle for bundle in shared if not asked.isdisjoint(bundle)))
    touched = {name: _touched(program, name) for name in program.templates}
    kept = {
        pack
        for name, packing in packings.items()
        for pack in packing.packs
        if (len(pack) > 1 or is_alone) and not wanted.isdisjoint(pack) and not touched[name].isdisjoint(pack)
    }
    if not kept:
        return None
    cells = {cell for pack in kept for cell in pack}.union(besides)
    bundles = tuple(bundle for bundle in shared if not cells.isdisjoint(bundle))
    in_bundles = {cell for bundle in bundles for cell in bundle}
    of_several = {cell for bundle in bundles if len(bundle) > 1 and is_handed_on for cell in bundle}
    handed_on = _handed_on(program, {name: found & of_several for name, found in touched.items()})
    tracked = {
        name: tuple(
            index
            for index, pack in enumerate(packing.packs)
            if not program.cells[pack[0]].summary
            and not (touched[name].isdisjoint(pack) and handed_on[name].isdisjoint(pack))
            and (pack in kept or not in_bundles.union(besides).isdisjoint(pack))
        )
        for name, packing in packings.items()
    }
    return MixedPacking(bundles, packings, tracked)


def _asked(program: Program, index: int) -> frozenset[str]:
    instruction = program.commands[index].instruction
    return formula_cells(instruction.condition) if isinstance(instruction, Assert) else frozenset()


def _given(program: Program, asked: Collection[str]) -> Mapping[str, frozenset[str]]:
    """By template, the cells that asked ones are made of, where its threads give others one of these to begin with.

    With them those copies that guards ask about.
    """
    sources: dict[str, set[str]] = defaultdict(set)
    copied: dict[str, str] = {}
    gives: dict[str, set[str]] = defaultdict(set)
    guarded: set[str] = set()
    for command in program.commands:
        for step in steps(command.instruction):
            match step:
                case Assign(target, value) | Compute(target, Operation.WRAP, (value, *_)):
                    sources[target] |= term_cells(value)
                    copied.update((target, cell) for cell in term_cells(value) if value == variable(cell))
                case Spawn(_, arguments):
                    for target, value in arguments:
                        sources[target] |= term_cells(value)
                        gives[program.template_of[command.source]].add(target)
                case Guard(condition):
                    guarded |= formula_cells(condition)
                case _:
                    pass
    made_of = frozenset(postorder(sorted(asked), lambda cell: sorted(sources.get(cell, ()))))
    made_of |= {cell for cell in guarded if copied.get(cell) in made_of}
    return {name: frozenset() if made_of.isdisjoint(gives[name]) else made_of for name in program.templates}


def _chosen(program: Program) -> frozenset[str]:
    """The cells that are any number of some, and that nothing but checks asks about: they are related to no others."""
    instructions = [step for command in program.commands for step in steps(command.instruction)]
    chosen = {step.target for step in instructions if isinstance(step, Havoc)}
    others = (it for it in instructions if not isinstance(it, Havoc | Assert))
    return frozenset(chosen.difference(*(reads(it) | writes(it) for it in others)))


def _touched(program: Program, template: str) -> frozenset[str]:
    """The cells that commands of a template read or write."""
    found = [program.commands[index].instruction for index in program.templates[template].commands]
    effects = [instruction_effects(instruction, frozenset()) for instruction in found]
    return frozenset().union(*(effect.reads | effect.modifies for effect in effects))


def _handed_on(program: Program, touched: Mapping[str, frozenset[str]]) -> Mapping[str, set[str]]:
    """By template, the cells that threads touch that it starts, and that these start."""
    found: dict[str, set[str]] = {name: set() for name in program.templates}
    starts = [
        (program.template_of[command.source], command.instruction.template)
        for command in program.commands
        if isinstance(command.instruction, Spawn)
    ]
    while any(not found[child].union(touched[child]) <= found[starter] for starter, child in starts):
        for starter, child in starts:
            found[starter] |= found[child].union(touched[child])
    return found


def _packing(
    program: Program, template: str, shared: Iterable[tuple[str, ...]], relations: Iterable[list[str]], limit: int
) -> Packing:
    """The packs of one template."""
    names = [name for name, cell in program.cells.items() if cell.template in (None, template)]
    classes = UnionFind(names)
    size = dict.fromkeys(names, 1)

    def merge(cells: Collection[str], most: float) -> None:
        if not cells or any(name not in size or program.cells[name].summary for name in cells):
            return
        first, *rest = cells
        for other in rest:
            left, right = classes[first], classes[other]
            total = size[left] + size[right]
            if left != right and total <= most:
                classes.union(left, right)
                size[classes[left]] = total

    for bundle in shared:
        merge(bundle, float("inf"))
    for cells in relations:
        merge(cells, limit)
    return Packing(tuple(sorted(tuple(sorted(pack)) for pack in classes.to_sets())))


def _relations(
    program: Program, template: str, open_checks: Collection[int], given: Set[str], chosen: Set[str]
) -> Iterator[list[str]]:
    """The sets of cells that commands of a template relate, the most important ones first, without the `chosen`.

    What is `given` is made of those that open checks of threads depend on which the template starts.
    """
    ranked: list[list[list[str]]] = [[], [], [], []]
    for index in program.templates[template].commands:
        instruction = program.commands[index].instruction
        is_copy = isinstance(instruction, Assign) and len(instruction.value.terms) == 1
        rank = 0 if index in open_checks else 3 if is_copy or isinstance(instruction, Assert) else 2
        for bundle in related_by(instruction):
            ranked[1 if rank and bundle <= given else rank].append(sorted(bundle - chosen))
    for found in ranked:
        yield from found


def related_by(instruction: Instruction) -> Iterator[frozenset[str]]:
    """As `groups_of`, with what threads are given; a number that may not have to be wrapped around is copied."""
    match instruction:
        case Spawn(_, arguments):
            yield from (bundle for _, value in arguments if len(bundle := term_cells(value)) > 1)
        case Compute(target, Operation.WRAP, arguments):
            bundle = term_cells(arguments[0]) | {target}
            if len(bundle) > 1:
                yield bundle
        case Atomic(steps):
            for step in steps:
                yield from related_by(step)
        case _:
            yield from groups_of(instruction)
