"""Flags and small enumerations: cells that are only ever set to a few numbers, and that somebody asks about."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from duet.flow.effects import effects
from duet.plip.syntax import Assert, Assign, Atomic, Compute, Guard, Havoc, Instruction, Linear, Program, Spawn
from duet.plip.terms import formula_cells
from duet.plip.touched import reads

VALUES = 4
"""More values make a cell a number."""
FLAGS = 3
"""Flags of each template, and of all together."""


def flags(
    program: Program,
    concerned: Collection[str],
    together: Iterable[tuple[str, ...]],
    few: Collection[str] = (),
) -> tuple[str, ...]:
    """Some flags whose values may tell cases of the cells `concerned` apart, at most `FLAGS` of each template.

    They are set to few numbers, as the program shows, or are among the `few` that are known to hold few somewhere, and
    others are computed from them alone.
    Globals are those that sections protect together with cells of concern, or that are some; of locals all, those that
    open checks depend on first. *Approximates*: either way; it decides only about precision and time.
    """
    related = {*concerned, *(cell for group in together for cell in group)}
    touched: dict[str, int] = {}
    asked: set[str] = set()
    for command, effect in zip(program.commands, effects(program), strict=True):
        asked |= set().union(*(formula_cells(one.condition) for one in _conditions(command.instruction)))
        for cell in effect.reads | effect.modifies:
            touched[cell] = touched.get(cell, 0) + 1
    copies, computed = _copies(program), _computed(program)
    for cell in (work := list(asked)):
        more = (copies.get(cell, set()) | computed.get(cell, set())) - asked
        asked |= more
        work += more
    found: dict[str | None, list[str]] = {}
    parted = frozenset().union(*computed.values()).intersection(few)
    held = asked.intersection(_of_few_values(program, copies) | parted)
    held -= {cell for cell, sources in computed.items() if sources <= held}  # told apart with what they are bits of
    for cell in sorted(held, key=lambda name: (name not in related, -touched[name], name)):
        template = program.cells[cell].template
        if template is not None or cell in related:
            found.setdefault(template, []).append(cell)
    return tuple(cell for cells in found.values() for cell in cells[:FLAGS])


def _conditions(instruction: Instruction) -> Iterator[Guard | Assert]:
    match instruction:
        case Guard() | Assert():
            yield instruction
        case Atomic(steps):
            yield from (step for step in steps if isinstance(step, Guard))
        case _:
            return


def _of_few_values(program: Program, copies: Mapping[str, set[str]]) -> set[str]:
    """The cells that hold at most `VALUES` numbers, as the assignments to them and their initial values show."""
    values: dict[str, set[int] | None] = {
        name: None if cell.summary else set() if cell.lo is None or cell.lo != cell.hi else {cell.lo}
        for name, cell in program.cells.items()
    }
    for command, effect in zip(program.commands, effects(program), strict=True):
        given = (cell for cell, _ in command.instruction.arguments) if isinstance(command.instruction, Spawn) else ()
        constants = dict(_constants(command.instruction))
        for cell in (*effect.writes, *given):
            known = values[cell]
            if known is not None:
                values[cell] = known | constants[cell] if cell in constants else None
    work = list(copies)
    while work:
        cell = work.pop()
        known, found = values[cell], [values[source] for source in copies[cell]]
        more = None if known is None or None in found else known.union(*(one for one in found if one is not None))
        if more is not None and len(more) > VALUES:
            more = None
        if more != known:
            values[cell] = more
            work += [name for name, sources in copies.items() if cell in sources]
    return {name for name, found in values.items() if found and len(found) <= VALUES}


def _copies(program: Program) -> Mapping[str, set[str]]:
    """The cells that cells are copied from."""
    found: dict[str, set[str]] = {}
    for command in program.commands:
        instruction = command.instruction
        for step in instruction.steps if isinstance(instruction, Atomic) else (instruction,):
            match step:
                case Assign(target, Linear(((source, 1),), 0)) if source != target:
                    found.setdefault(target, set()).add(source)
                case _:
                    continue
    return found


def computed_from(program: Program, cells: Collection[str]) -> frozenset[str]:
    """The cells that are computed from some cells, each from one and constants."""
    computed, found = _computed(program), {*cells}
    while more := {cell for cell, sources in computed.items() if sources <= found} - found:
        found |= more
    return frozenset(found.difference(cells))


def _computed(program: Program) -> Mapping[str, set[str]]:
    """The cells that cells are computed from, each from one and constants, as bits of it are."""
    found: dict[str, set[str]] = {}
    for command in program.commands:
        instruction = command.instruction
        for step in instruction.steps if isinstance(instruction, Atomic) else (instruction,):
            sources = reads(step) if isinstance(step, Compute) else frozenset()
            if isinstance(step, Compute) and len(sources) == 1:
                found.setdefault(step.target, set()).update(sources)
    return found


def _constants(instruction: Instruction) -> Iterator[tuple[str, set[int]]]:
    """The cells that an instruction sets to constants only, to any of few numbers, or to copies of others."""
    steps = instruction.steps if isinstance(instruction, Atomic) else (instruction,)
    found: dict[str, set[int] | None] = {}
    for step in steps:
        target = getattr(step, "target", None)
        if target is None:
            continue
        known = found.get(target, set())
        match step:
            case Assign(_, Linear((), value)) if known is not None:
                found[target] = known | {value}
            case Assign(_, Linear(((_, 1),), 0)):
                found.setdefault(target, set())
            case Havoc(_, int(lo), int(hi)) if known is not None and hi - lo < VALUES:
                found[target] = known | set(range(lo, hi + 1))
            case _:
                found[target] = None
    yield from ((cell, values) for cell, values in found.items() if values is not None)
