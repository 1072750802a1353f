"""Loops whose iterations can be told apart: by the values of cells that decide when they end, if these are few."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from duet.flow.effects import instruction_effects
from duet.flow.packs import loops
from duet.plip.graphs import control_graph
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.syntax import Assign, Atomic, Guard, Havoc, Instruction, Linear, Program
from duet.plip.terms import formula_cells

MOST = 256
"""Iterations of a loop that are told apart."""
VALUES = 1 << 12
"""The most values between the bounds of a cell whose values tell iterations apart, if it does not go by even steps."""
_EACH = 3


@dataclass(frozen=True, slots=True)
class Iterations:
    """`splits`: the cells whose values tell iterations apart; `moved`: all that such loops compute from these."""

    splits: tuple[str, ...]
    moved: frozenset[str]


def iterations(program: Program, concerned: Collection[str], is_within: Callable[[str, int, int], bool]) -> Iterations:
    """Locals whose values tell the iterations of loops apart that change a cell of those `concerned`.

    They decide whether a loop ends, it computes them from what no other thread writes, and where they do they have no
    more values than can be told apart, by `is_within`: whether bounds of a cell at a location are so close. At most
    `_EACH` of each template. *Approximates*: either way; it decides only about precision and time.
    """
    found: dict[str, list[str]] = {}
    moved: set[str] = set()
    own = _own(program)
    for name, template in program.templates.items():
        for loop in loops(control_graph(program, template.commands)):
            inside = [index for index in template.commands if program.commands[index].source in loop]
            staying = [index for index in inside if program.commands[index].target in loop]
            changed = dict(_changed(program, staying))
            if changed.keys().isdisjoint(concerned):
                continue
            strides = _strides(program, staying)
            computed = changed.keys() - _not_computed(program.cells.keys() - own[name], changed)
            for cell, location in _deciding(program, inside, staying):
                if cell not in computed or cell in found.setdefault(name, []):
                    continue
                if is_within(cell, location, MOST * strides[cell] - 1 if cell in strides else VALUES):
                    found[name].append(cell)
                    moved |= computed
    return Iterations(tuple(cell for cells in found.values() for cell in cells[:_EACH]), frozenset(moved))


def _deciding(program: Program, inside: Collection[int], staying: Collection[int]) -> Iterator[tuple[str, int]]:
    """The cells in guards between going on and leaving, with the locations of these."""
    leaving = {program.commands[index].source for index in inside if index not in staying}
    for index in inside:
        command = program.commands[index]
        if command.source in leaving and isinstance(command.instruction, Guard):
            yield from ((cell, command.source) for cell in sorted(formula_cells(command.instruction.condition)))


def _changed(program: Program, staying: Collection[int]) -> Iterator[tuple[str, set[str] | None]]:
    """The cells that some commands change, each with what its new values are computed from; None for any values."""
    found: dict[str, set[str] | None] = {}
    for index in staying:
        for step in _steps(program.commands[index].instruction):
            effect = instruction_effects(step, frozenset())
            for cell in effect.writes:
                before = found.get(cell, set())
                found[cell] = None if before is None or isinstance(step, Havoc) else before | effect.reads
    yield from found.items()


def _strides(program: Program, staying: Collection[int]) -> Mapping[str, int]:
    """How far the cells go at a time that some commands only ever add constants to."""
    found: dict[str, int] = {}
    for step in (step for index in staying for step in _steps(program.commands[index].instruction)):
        for cell in instruction_effects(step, frozenset()).writes:
            match step:
                case Assign(_, Linear(((source, 1),), by)) if source == cell:
                    found[cell] = max(found.get(cell, 0), abs(by))
                case _:
                    found[cell] = VALUES
    return {cell: stride for cell, stride in found.items() if 0 < stride < VALUES}


def _steps(instruction: Instruction) -> Iterator[Instruction]:
    if isinstance(instruction, Atomic):
        for step in instruction.steps:
            yield from _steps(step)
    else:
        yield instruction


def _own(program: Program) -> Mapping[str, frozenset[str]]:
    """By template, the cells that no other thread writes while one of it runs: locals, and globals of the only one."""
    many = multiplicities(program)
    writers: defaultdict[str, set[str]] = defaultdict(set)
    for command in program.commands:
        for cell in instruction_effects(command.instruction, frozenset()).writes:
            writers[cell].add(program.template_of[command.source])
    cells = {name: cell for name, cell in program.cells.items() if not cell.summary}
    return {
        name: frozenset(
            cell
            for cell, found in cells.items()
            if found.template is not None or (writers[cell] <= {name} and many[name] is Multiplicity.ONE)
        )
        for name in program.templates
    }


def _not_computed(others: Collection[str], changed: Mapping[str, set[str] | None]) -> set[str]:
    """The cells whose values do not follow from any but `others`."""
    lost = {*others, *(cell for cell, sources in changed.items() if sources is None)}
    while more := {cell for cell, sources in changed.items() if sources and not lost.isdisjoint(sources)} - lost:
        lost |= more
    return lost
