"""Elements that threads claim: by which of its own cells a thread knows the element that it has.

    if (atomic_exchange(&busy[i], 1) == 0) { used[i]++; busy[i] = 0; }
    lock; for (i = 0; i < N; i++) if (owner[i] == 0) { owner[i] = me; mine = i; break; } unlock; used[mine]++;

A *claim* looks at a cell that threads share and sets it to what does not depend on what was there. Where it does so for
several cells, by the values of an own cell or before that is set to one of several constants, the own cell says what
the thread has until it gives that back, and ways are worth to be told apart by it (`decided`). So they are not where
the thread has copies of what it accesses, the same ones for each element (`judgments.sections`).

*Approximates*: either way; it decides only about precision and time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain

from duet.frontend.graph.reach import by_source
from duet.plip.syntax import Assign, Atomic, Command, Guard, Instruction, Linear, guards, steps
from duet.plip.terms import formula_cells, term_cells
from duet.plip.touched import reads, writes

FAR = 12
"""Commands in a row from where a cell is looked at to where it is set, and to where the own cell is."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The own cells `by` whose values a thread claims one of several cells, or that are `later` set to constants.

    By those that are `choosing` it accesses one of several, by those that are `copied` it makes a copy of one.
    """

    by: frozenset[str]
    later: frozenset[str]
    choosing: frozenset[str]
    copied: frozenset[str]

    def __bool__(self) -> bool:
        return bool((self.by or self.later) and self.choosing)

    def told(self, alike: Mapping[str, str]) -> frozenset[str]:
        """The classes of cells that say which element a thread has claimed; `alike` has the class of each cell."""
        kinds = (self.by, self.later, self.choosing, self.copied)
        by, later, choosing, copied = (frozenset(alike[cell] for cell in cells) for cells in kinds)
        return ((by | later) & choosing) - copied


def claims(commands: Sequence[Command], is_own: Callable[[str], bool], shared: Set[str]) -> Claims:
    """What the thread of a template claims among cells that threads share."""
    return _Thread(commands, is_own, shared).claims()


class _Thread:
    def __init__(self, commands: Sequence[Command], is_own: Callable[[str], bool], shared: Set[str]) -> None:
        self.commands = commands
        self.is_own = is_own
        self.shared = shared
        self._outgoing = by_source(commands)

    def claims(self) -> Claims:
        touched, claimed, looked_at, written, later = (defaultdict[str, set[str]](set) for _ in range(5))
        for leaving in list(self._outgoing.values()):
            for index, access in self._chosen(leaving):
                touched[index] |= self._touched(access.instruction)
                claimed[index] |= self._looked_at(access, ()) & set(self._set(access.instruction))
                looked_at[index] |= self._looked_at(access, self._outgoing[access.target])
                written[index] |= set(self._set(access.instruction))
        for index in touched:
            claimed[index] |= looked_at[index] & written[index]
        for command in self.commands if _several(touched) else ():
            for index, cell in self._in_a_row(command):
                later[index].add(cell)
        return Claims(_several(claimed), _several(later), _several(touched), frozenset(self._copied()))

    def _touched(self, instruction: Instruction) -> Set[str]:
        return (reads(instruction) | writes(instruction)) & self.shared

    def _chosen(self, leaving: Sequence[Command]) -> Iterator[tuple[str, Command]]:
        """The own cells that guards ask for which leave a location, each with the accesses behind to several cells."""
        found: defaultdict[str, list[Command]] = defaultdict(list)
        for command in leaving:
            if isinstance(command.instruction, Guard):
                for index in filter(self.is_own, sorted(formula_cells(command.instruction.condition))):
                    found[index] += self._outgoing[command.target]
        for index, accesses in found.items():
            if len({cells for it in accesses if (cells := frozenset(self._touched(it.instruction)))}) > 1:
                yield from ((index, access) for access in accesses)

    def _looked_at(self, access: Command, behind: Sequence[Command]) -> Set[str]:
        """The shared cells that an access reads, where it may ask about them, or commands right behind it do."""
        read = reads(access.instruction) & self.shared
        made = read | writes(access.instruction)
        asked = chain.from_iterable(guards(it.instruction) for it in behind)
        is_asked = not behind or any(not made.isdisjoint(formula_cells(it)) for it in asked)
        return read if is_asked or guards(access.instruction) else frozenset()

    def _set(self, instruction: Instruction) -> Iterator[str]:
        """The shared cells that an instruction sets to what does not depend on what is shared."""
        made = set(self.shared)
        for step in steps(instruction):
            match step:
                case Assign(target, value) if target in self.shared:
                    if made.isdisjoint(term_cells(value)):
                        yield target
                case _:
                    made |= writes(step) if not made.isdisjoint(reads(step)) else set()

    def _in_a_row(self, command: Command) -> Iterator[tuple[str, str]]:
        """The own cells that are set to constants where a cell was looked at, with that cell if it was set as well."""
        looked_at = reads(command.instruction) & self.shared
        if not looked_at:
            return
        made = looked_at | writes(command.instruction)
        claimed = looked_at & set(self._set(command.instruction))
        is_asked = bool(guards(command.instruction))
        work = [(command.target, is_asked, claimed)]
        for place, is_asked, claimed in work:
            for after in self._next(place, FAR):
                for step in steps(after.instruction) if is_asked else ():
                    if isinstance(step, Assign) and not step.value.terms and self.is_own(step.target):
                        yield from ((step.target, cell) for cell in claimed)
                claimed = claimed | (looked_at & set(self._set(after.instruction)))
                made |= writes(after.instruction) if not made.isdisjoint(reads(after.instruction)) else set()
                place = after.target
            for after in self._outgoing[place] if not is_asked else ():
                if isinstance(after.instruction, Guard) and not made.isdisjoint(
                    formula_cells(after.instruction.condition)
                ):
                    work.append((after.target, True, claimed))

    def _next(self, place: int, most: int) -> Iterator[Command]:
        """The commands behind a location up to where there is more than one way to go."""
        for _ in range(most):
            if len(self._outgoing[place]) != 1:
                return
            yield (after := self._outgoing[place][0])
            place = after.target

    def _copied(self) -> Iterator[str]:
        """The own cells that say of which shared cell another one becomes a copy."""
        for command in self.commands:
            match command.instruction:
                case Atomic((Guard(condition), Assign(_, Linear(((cell, 1),), 0)), *_)) if cell in self.shared:
                    yield from filter(self.is_own, formula_cells(condition))
                case _:
                    continue


def _several(found: Mapping[str, Set[str]]) -> frozenset[str]:
    return frozenset(index for index, cells in found.items() if len(cells) > 1)
