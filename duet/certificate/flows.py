"""Own data flows: classical reaching definitions, by bits, and what each command does to packs.

*Source*: thesis Def. 3.2.1, in the variant in which guards count as definitions for their own thread.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from duet.plip.syntax import (
    TRUE,
    Assert,
    Assign,
    Atomic,
    Compute,
    Guard,
    Havoc,
    Instruction,
    Join,
    Lookup,
    Operation,
    Program,
    Spawn,
    steps,
)
from duet.plip.terms import formula_cells

_PARTIAL = (Operation.DIV, Operation.MOD, Operation.SHL, Operation.SHR)
INITIAL = -1
"""Stands for the initial value among the commands that define a pack."""
REACHED = -1
"""The pack that stands for "control gets here"; guards define it."""


@dataclass(frozen=True, slots=True)
class Touched:
    """The cells that a command reads, writes and guards, and whether it may refuse to pass."""

    reads: frozenset[str]
    writes: frozenset[str]
    guards: frozenset[str]
    may_refuse: bool


def touched(instruction: Instruction) -> Touched:
    """What an instruction touches."""
    reads: set[str] = set()
    writes: set[str] = set()
    guards: set[str] = set()
    may_refuse = False
    for step in steps(instruction):
        match step:
            case Assign(target, value):
                writes.add(target)
                reads.update(cell for cell, _ in value.terms)
            case Havoc(target):
                writes.add(target)
            case Compute(target, operation, arguments):
                writes.add(target)
                reads.update(cell for argument in arguments for cell, _ in argument.terms)
                may_refuse |= operation in _PARTIAL
            case Lookup(target, _, index):
                writes.add(target)
                reads.update(cell for cell, _ in index.terms)
                may_refuse = True
            case Guard(condition):
                guards |= formula_cells(condition)
                may_refuse |= condition != TRUE
            case Assert(condition, _, stops):
                (guards if stops else reads).update(formula_cells(condition))
                may_refuse |= stops and condition != TRUE
            case Spawn(_, arguments):
                reads.update(cell for _, value in arguments for cell, _ in value.terms)
            case Join() | Atomic():
                pass
            case _:
                assert_never(step)
    return Touched(frozenset(reads), frozenset(writes), frozenset(guards), may_refuse)


@dataclass(frozen=True, slots=True)
class Definitions:
    """What each command does to the packs of a layer.

    `defines[command]` are the packs that it defines for its own thread and whether what was there ends; `written` the
    packs that it really writes, and whether that ends what others could see. `given[spawn]` are the child's packs.
    """

    packs: tuple[tuple[str, ...], ...]
    pack_of: Mapping[str, int]
    defines: Sequence[Mapping[int, bool]]
    written: Sequence[Mapping[int, bool]]
    given: Mapping[int, frozenset[int]]


def definitions(program: Program, packs: tuple[tuple[str, ...], ...]) -> Definitions:
    """The definitions of packs that are a partition of the cells."""
    pack_of = {cell: index for index, pack in enumerate(packs) for cell in pack}
    defines: list[Mapping[int, bool]] = []
    written: list[Mapping[int, bool]] = []
    given: dict[int, frozenset[int]] = {}
    for index, command in enumerate(program.commands):
        found = touched(command.instruction)
        own: dict[int, bool] = {REACHED: True} if found.may_refuse else {}
        seen: dict[int, bool] = {}
        for cell in found.writes:
            is_strong = not program.cells[cell].summary
            seen[pack_of[cell]] = seen.get(pack_of[cell], False) or is_strong
        for pack, is_strong in seen.items():
            own[pack] = is_strong
        for cell in found.guards:
            own[pack_of[cell]] = True
        defines.append(own)
        written.append(seen)
        if isinstance(command.instruction, Spawn):
            given[index] = frozenset(pack_of[cell] for cell, _ in command.instruction.arguments)
    return Definitions(packs, pack_of, defines, written, given)


class OwnFlows:
    """The definitions of each pack that reach each location by the thread itself, from its start or its parent's."""

    def __init__(self, program: Program, known: Definitions) -> None:
        self._program = program
        self._known = known
        self._numbers: dict[tuple[int, int], int] = {}
        self._of_pack: dict[int, int] = {}
        for pack in (REACHED, *range(len(known.packs))):
            self._add(INITIAL, pack)
        for index, packs in enumerate(known.defines):
            for pack in packs:
                self._add(index, pack)
        for index, given in known.given.items():
            for pack in given:
                self._add(index, pack)
        self._names = list(self._numbers)
        self._global = self._all(pack for pack, cells in enumerate(known.packs) if self._is_global(cells))
        self._global |= self._of_pack[REACHED]
        self._arriving = self._solved()

    def _add(self, command: int, pack: int) -> None:
        if (command, pack) not in self._numbers:
            self._numbers[command, pack] = len(self._numbers)
            self._of_pack[pack] = self._of_pack.get(pack, 0) | 1 << self._numbers[command, pack]

    def _all(self, packs: Iterable[int]) -> int:
        return sum(self._of_pack[pack] for pack in packs)

    def _is_global(self, cells: Sequence[str]) -> bool:
        return self._program.cells[cells[0]].template is None

    def _initial(self, template: str | None) -> int:
        """The initial values of the packs of a template, or of the globals."""
        owner = self._program.cells
        packs = [pack for pack, cells in enumerate(self._known.packs) if owner[cells[0]].template == template]
        return sum(1 << self._numbers[INITIAL, pack] for pack in packs)

    def _solved(self) -> Mapping[int, int]:
        program, known = self._program, self._known
        masks = []
        for index, packs in enumerate(known.defines):
            ended = self._all(pack for pack, kills in packs.items() if kills)
            masks.append((~ended, sum(1 << self._numbers[index, pack] for pack in packs)))
        main = program.templates[program.main].entry
        arriving = {main: self._initial(None) | self._initial(program.main) | 1 << self._numbers[INITIAL, REACHED]}
        starts = {name: self._initial(name) for name in program.templates}
        work = deque([main])
        while work:
            location = work.popleft()
            here = arriving[location]
            for index in program.outgoing[location]:
                command = program.commands[index]
                keep, added = masks[index]
                passed = [(command.target, here & keep | added)]
                if isinstance(command.instruction, Spawn):
                    name, given = command.instruction.template, known.given[index]
                    own = starts[name] & ~self._all(given) | sum(1 << self._numbers[index, pack] for pack in given)
                    passed.append((program.templates[name].entry, here & self._global | own))
                for target, bits in passed:
                    before = arriving.get(target)
                    if before is None or bits & ~before:
                        arriving[target] = bits | (before or 0)
                        work.append(target)
        return arriving

    @property
    def reached(self) -> Iterable[int]:
        """The locations that control gets to when every guard passes."""
        return self._arriving

    def sources(self, pack: int, location: int) -> Iterator[int]:
        """The commands (or INITIAL) whose definition of a pack reaches a location."""
        bits = self._arriving.get(location, 0) & self._of_pack[pack]
        while bits:
            low = bits & -bits
            yield self._names[low.bit_length() - 1][0]
            bits ^= low
