"""What threads can do next in a program, each command as a function on stores; compiled where a thread gets there.

Of the many commands that leave a location where a pointer or an index chooses among cells, only those are tried that
ask for the value that is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from duet.plip.execute import Run, Samples, Store, Test, Value, compile_formula, compile_step, compile_steps
from duet.plip.marks import UNSET
from duet.plip.multiplicity import many
from duet.plip.syntax import (
    FALSE,
    And,
    Assert,
    Atom,
    Atomic,
    Guard,
    Instruction,
    Join,
    Linear,
    Program,
    Relation,
    Spawn,
    steps,
)
from duet.plip.terms import formula_cells
from duet.result import Check

_SEVERAL = 4  # commands that ask for one cell: a table of its values is made


@dataclass(frozen=True, slots=True)
class Action:
    """A command that leaves a location for `target`, with what it does, tests, starts and waits for."""

    command: int
    target: int
    run: Run
    check: Check | None = None
    test: Test | None = None
    spawns: str = ""
    joins: str = ""


@dataclass(frozen=True, slots=True)
class _Table:
    """Actions by the value in a slot of the store, and those for any other value."""

    slot: int
    by_value: Mapping[Value, tuple[Action, ...]]
    others: tuple[Action, ...]


class Actions:
    """The actions of a program; with `is_exact` only those that stand for no more than the source does."""

    def __init__(self, program: Program, checks: frozenset[Check], samples: Samples, is_exact: bool) -> None:
        self._program, self._checks, self._samples, self._is_exact = program, checks, samples, is_exact
        self._many = many(program)
        self._summaries = frozenset(name for name, cell in program.cells.items() if cell.summary)
        self._found: dict[int, _Table | tuple[Action, ...]] = {}
        own: dict[str, list[str]] = {name: [] for name in program.templates}
        for cell in program.cells.values():
            if cell.template is not None:
                own[cell.template].append(cell.name)
        self._slots = {
            name: {cell: slot for slot, cell in enumerate((*program.globals, *cells))} for name, cells in own.items()
        }

    def slots(self, template: str) -> Mapping[str, int]:
        """Where the cells that a thread sees are in a store: the globals, then its own."""
        return self._slots[template]

    def at(self, location: int, store: Store) -> tuple[Action, ...]:
        """What a thread there may do, as far as that can be told by one cell."""
        found = self._found.get(location)
        if found is None:
            found = self._found[location] = self._compiled(location)
        return found.by_value.get(store[found.slot], found.others) if isinstance(found, _Table) else found

    def tests(self) -> Iterator[tuple[Check, Test]]:
        """What has to hold of the globals for each check; where own cells have a part in it, nothing ever does."""
        slots = {name: slot for slot, name in enumerate(self._program.globals)}
        for command in self._program.commands:
            match command.instruction:
                case Assert(condition, check) if check in self._checks and formula_cells(condition) & slots.keys():
                    is_all = formula_cells(condition) <= slots.keys()
                    yield check, compile_formula(condition if is_all else FALSE, slots)
                case _:
                    pass

    def _compiled(self, location: int) -> _Table | tuple[Action, ...]:
        found = [
            (action, _chosen(self._program.commands[action.command].instruction)) for action in self._each(location)
        ]
        counts = Counter(cell for _, chosen in found for cell in chosen if cell not in self._summaries)
        cell, count = max(counts.items(), key=lambda item: item[1], default=("", 0))
        if count < _SEVERAL:
            return tuple(action for action, _ in found)
        by_value: dict[Value, tuple[Action, ...]] = {
            value: tuple(action for action, chosen in found if chosen.get(cell, value) == value)
            for value in {chosen[cell] for _, chosen in found if cell in chosen}
        }
        others = tuple(action for action, chosen in found if cell not in chosen)
        return _Table(self._slots[self._program.template_of[location]][cell], by_value, others)

    def _each(self, location: int) -> Iterator[Action]:
        slots = self._slots[self._program.template_of[location]]
        for index in self._program.outgoing[location]:
            command = self._program.commands[index]
            if self._is_exact and doubt_of(self._program, index, self._many):
                continue
            target = command.target
            match command.instruction:
                case Assert(condition, check, stops):
                    test = compile_formula(condition, slots)
                    wanted = check in self._checks
                    run = _passing(test) if stops else _stay
                    yield Action(index, target, run, check if wanted else None, test if wanted else None)
                case Spawn(template):
                    yield Action(index, target, _stay, spawns=template)
                case Join(template):
                    yield Action(index, target, _stay, joins="" if template in self._many else template)
                case Atomic(parts):
                    runs = [compile_step(step, slots, self._summaries, self._samples) for step in parts]
                    yield Action(index, target, compile_steps(runs))
                case step:
                    yield Action(index, target, compile_step(step, slots, self._summaries, self._samples))


def _chosen(instruction: Instruction) -> Mapping[str, int]:
    """The values that cells hold where an instruction passes, as far as its first guard says so."""
    first = steps(instruction)[0] if steps(instruction) else None
    found: dict[str, int] = {}
    if isinstance(first, Guard):
        for part in first.condition.parts if isinstance(first.condition, And) else (first.condition,):
            match part:
                case Atom(Linear(((cell, (1 | -1) as factor),), constant), Relation.EQ):
                    found[cell] = -factor * constant
                case _:
                    pass
    return found


def doubt_of(program: Program, index: int, many: Collection[str]) -> str:
    """In what a command stands for more than the source does; empty if in nothing. `many` are the `MANY` templates."""
    command = program.commands[index]
    match command.instruction:
        case Join(template) if template in many:
            return "which thread is joined is not known: nothing is waited for"
        case Spawn(template) if program.templates[template].interrupts:
            return "what interrupts a thread runs beside it here"
        case _:
            return "" if command.approximates == UNSET else command.approximates


def without_doubt(program: Program) -> Program:
    """The program without the steps that stand for more than the source does: no execution passes them."""
    some = many(program)
    left = (
        replace(command, instruction=Guard(FALSE), approximates="") if doubt_of(program, index, some) else command
        for index, command in enumerate(program.commands)
    )
    return replace(program, commands=tuple(left))


def _stay(store: Store) -> tuple[Store, ...]:
    return (store,)


def _passing(test: Test) -> Run:
    return lambda store: (store,) if test(store) else ()
