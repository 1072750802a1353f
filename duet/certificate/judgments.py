"""What two threads know of the globals at two locations, whether both can be there, and what passes there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TypeAlias

import z3

from duet.certificate.counts import NOTHING, Parts, Sums
from duet.certificate.flows import INITIAL, Definitions, touched
from duet.certificate.knowledge import Knowledge, Premises
from duet.certificate.meaning import Expr, initial
from duet.certificate.meeting import Meeting
from duet.plip.syntax import Program

View: TypeAlias = int  # the number of what is known of the globals at a location
Group: TypeAlias = tuple[Premises, frozenset[int] | None]
"""What is known of a pack: statements, and definitions one of which gave it its value."""
Held: TypeAlias = tuple[tuple[int, frozenset[int]], ...]
Sources: TypeAlias = Callable[[int, int], Iterable[int]]
_FALSE = z3.BoolVal(False)


class Judgments:
    """Answers for one round of refinement, cached; a yes to `is_refused` and a no to `agree` are certain.

    `sources` are the own definitions of a pack that can be at a location, `is_over` the writes of others that cannot be
    the last ones there, both by the layers before. `parts` are those that threads have in globals.
    """

    def __init__(
        self,
        program: Program,
        knowledge: Knowledge,
        known: Definitions,
        meeting: Meeting,
        sources: Sources,
        is_over: Callable[[int, int, int], bool],
        parts: Parts | None = None,
    ) -> None:
        self.program = program
        self.knowledge = knowledge
        self.known = known
        self._prover = knowledge.prover
        self._sources = sources
        self._is_over = is_over
        self._meeting = meeting
        self._parts = parts
        cells = program.cells
        self.shared = tuple(
            pack
            for pack, names in enumerate(known.packs)
            if all(cells[name].template is None and not cells[name].summary for name in names)
        )
        self._packs = frozenset(self.shared)
        self._names = frozenset(name for pack in self.shared for name in known.packs[pack])
        self._numbers: dict[tuple[tuple[int, Group], ...], View] = {}
        self._views: list[dict[int, Group]] = []
        self._at: dict[tuple[int, frozenset[str]], View] = {}
        self._conflicts: dict[tuple[int, frozenset[Group]], bool] = {}
        self._agree: dict[tuple[View, View], bool] = {}
        self._adding_up: dict[tuple[View, View, Sums], bool] = {}
        self._refused: dict[object, bool] = {}
        self._seen_of: dict[int, Mapping[int, int]] = {}
        self._values: dict[tuple[int, int], Expr] = {}
        self._choices: dict[tuple[int, frozenset[int]], Expr] = {}

    def view(self, location: int, excluded: frozenset[str]) -> View:
        """What is known of the globals at a location while no thread of some templates has run."""
        key = (location, excluded)
        if key not in self._at:
            found = {
                pack: group for pack in self.shared if (group := self._group(pack, location, excluded)) != ((), None)
            }
            content = tuple(found.items())
            if content not in self._numbers:
                self._numbers[content] = len(self._views)
                self._views.append(found)
            self._at[key] = self._numbers[content]
        return self._at[key]

    def _group(self, pack: int, location: int, excluded: frozenset[str]) -> Group:
        statements = self._prover.statements
        found = self.knowledge.about(location, self.known.packs[pack])
        told = tuple(number for number in found if statements[number].cells <= self._names)
        if not excluded:
            return told, None
        number = self._meeting.number.get(location)
        owner = self.program.template_of
        seen = {c for c, bits in self._seen(pack).items() if number is not None and bits >> number & 1}
        arriving = {c for c in seen if not self._is_over(pack, location, c)}
        left = {c for c in arriving if owner[self.program.commands[c].source] not in excluded}
        return told, None if left == arriving else frozenset(left.union(self._sources(pack, location)))

    def _seen(self, pack: int) -> Mapping[int, int]:
        """Where other threads may see each write of a pack."""
        if pack not in self._seen_of:
            writes = [index for index, found in enumerate(self.known.written) if pack in found]
            kills = frozenset(index for index, found in enumerate(self.known.defines) if found.get(pack))
            self._seen_of[pack] = {c: self._meeting.seen({c}, frozenset(writes), kills) for c in writes}
        return self._seen_of[pack]

    def agree(self, left: View, right: View) -> bool:
        """Whether two views may be of the same moment."""
        if left == right:
            return True
        key = (left, right) if left < right else (right, left)
        if key not in self._agree:
            one, two = self._views[left], self._views[right]
            self._agree[key] = not any(
                group != two[pack] and self._conflict(pack, frozenset((group, two[pack])))
                for pack, group in one.items()
                if pack in two
            )
        return self._agree[key]

    def sums(self, location: int, place: int, absent: frozenset[str]) -> Sums:
        """What the parts of all threads say of globals while a thread is at a location and another one at a place."""
        return NOTHING if self._parts is None else self._parts.beside(location, place, absent)

    def are_counted(self, command: int) -> bool:
        """Whether a command may refuse by what parts say of globals."""
        cells = {cell for pack in self.used(command) for cell in self.known.packs[pack]}
        return self._parts is not None and self._parts.is_about(cells)

    def are_counted_together(self, location: int, place: int) -> bool:
        """Whether what parts say of globals may keep two threads from being at two locations."""
        return self._parts is not None and self._parts.are_counted_together(location, place)

    def add_up(self, left: View, right: View, sums: Sums) -> bool:
        """Whether two views may be of one moment at which the parts of all threads say something of globals."""
        if self._parts is None or sums == NOTHING:
            return True
        key = (left, right, sums)
        if key not in self._adding_up:
            groups = (group for view in (left, right) for group in self._views[view].items())
            told = [part for pack, group in groups for part in self._said(pack, group)]
            self._adding_up[key] = not self._prover.is_valid([*told, *self._parts.said(sums)], _FALSE)
        return self._adding_up[key]

    def _conflict(self, pack: int, groups: frozenset[Group]) -> bool:
        key = (pack, groups)
        if key not in self._conflicts:
            told = [part for group in groups for part in self._said(pack, group)]
            self._conflicts[key] = self._prover.is_valid(told, _FALSE)
        return self._conflicts[key]

    def _said(self, pack: int, group: Group) -> list[Expr]:
        statements, given = group
        found = self._prover.meanings(statements)
        return found if given is None else [*found, self._one_of(pack, given)]

    def _one_of(self, pack: int, commands: frozenset[int]) -> Expr:
        """That the value of a pack is what one of some definitions gave it."""
        if (pack, commands) not in self._choices:
            self._choices[pack, commands] = z3.Or(*(self._value(pack, command) for command in sorted(commands)))
        return self._choices[pack, commands]

    def _value(self, pack: int, command: int) -> Expr:
        if (pack, command) not in self._values:
            cells, statements = frozenset(self.known.packs[pack]), self._prover.statements
            after = [] if command == INITIAL else self.knowledge.after(command)
            told = self._prover.meanings(tuple(number for number in after if statements[number].cells <= cells))
            found = initial(self.program, self.known.packs[pack]) if command == INITIAL else told
            self._values[pack, command] = z3.And(*found)
        return self._values[pack, command]

    @cached_property
    def _used(self) -> dict[int, tuple[int, ...]]:
        found: dict[int, tuple[int, ...]] = {}
        for index, command in enumerate(self.program.commands):
            what = touched(command.instruction)
            if what.may_refuse:
                packs = {self.known.pack_of[cell] for cell in what.reads | what.guards | what.writes}
                found[index] = tuple(sorted(packs & self._packs))
        return found

    def used(self, command: int) -> tuple[int, ...]:
        """The shared packs that may make a command refuse."""
        return self._used.get(command, ())

    def is_refused(self, command: int, own: View, other: View, held: Held = (), sums: Sums = NOTHING) -> bool:
        """Whether a command cannot pass beside another thread, given what the last writes of packs can be, and sums."""
        if self.knowledge.is_stopped(command):
            return True
        if command not in self._used:
            return False
        packs = self._used[command]
        groups = tuple((self._views[own].get(pack), self._views[other].get(pack)) for pack in packs)
        key = (command, groups, held, sums)
        if key not in self._refused:
            told = self.knowledge.before(command, ())
            for pack, both in zip(packs, groups, strict=True):
                for group in both:
                    told += [] if group is None else self._said(pack, group)
            told += [self._one_of(pack, commands) for pack, commands in held]
            told += () if self._parts is None else self._parts.said(sums)
            self._refused[key] = self._prover.is_valid(told, _FALSE)
        return self._refused[key]
