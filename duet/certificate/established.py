"""What layers that hold say of several threads in one state, from which one of them moves on.

What is known at a location holds for a thread there while no other thread is inside of an atomic region.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Protocol

from z3 import BoolVal, Int, substitute

from duet.certificate.knowledge import Knowledge
from duet.certificate.meaning import Expr, cell_of
from duet.certificate.meeting import Meeting
from duet.plip.syntax import Program

GLOBAL = -1
"""The number that a global has for a thread."""


class Known(Protocol):
    """What is known of threads in a state from which one of them moves on."""

    def is_possible(self, threads: Sequence[int], actor: int) -> bool:
        """Whether threads may be at some locations, of which the one at `actor` moves on."""
        ...

    def at(self, location: int, thread: int, actor: int) -> Sequence[Expr]:
        """What is known of a thread at a location while the thread at `actor` moves on."""
        ...


class Established:
    """What layers say of a program; threads by number, locations and cells as in the program."""

    def __init__(self, program: Program, knowledge: Knowledge, meeting: Meeting) -> None:
        self._program, self.knowledge, self._meeting = program, knowledge, meeting
        self._atomic = frozenset().union(*(template.atomic for template in program.templates.values()))
        self._at: dict[tuple[int, int], list[Expr]] = {}
        self._global: dict[int, tuple[int, ...]] = {}
        self._agreeing: dict[tuple[tuple[int, ...], tuple[int, ...]], bool] = {}

    def is_possible(self, threads: Sequence[int], actor: int) -> bool:
        """As `Known` has it. *Requires*: only the thread that moves may be inside of an atomic region."""
        inside = actor in self._atomic
        known = (actor,) if inside else threads
        if any(self.knowledge.is_dead(place) for place in known):
            return False
        pairs = ((one, other) for index, one in enumerate(threads) for other in threads[:index])
        return inside or all(self.may_meet(one, other) for one, other in pairs)

    def may_meet(self, one: int, other: int) -> bool:
        """Whether two threads may be at two locations, one of them at most inside of an atomic region.

        *Requires*: no third thread is inside of one. Of two that are inside nothing is said. What is known of globals
        where a thread waits need not hold while another one is inside.
        """
        if one in self._atomic and other in self._atomic:
            return True
        number, together = self._meeting.number, self._meeting.together
        first, second = number.get(one), number.get(other)
        if first is None or second is None:
            return False
        if not (together[first] >> second & 1 and together[second] >> first & 1):
            return False
        return one in self._atomic or other in self._atomic or self._agree(one, other)

    def are_together(self, one: int, other: int) -> bool:
        """Whether two threads may be at two locations, both about to move on when the other one lets them.

        That is no question of what a third thread inside of an atomic region does: unless it stays there for good, the
        two are there when it has left.
        """
        inside = [place for place in (one, other) if place in self._atomic]
        return not any(map(self.knowledge.is_dead, inside or (one, other))) and self.may_meet(one, other)

    def check_time(self) -> None:
        """Nothing, if there is time for more. *Raises*: OutOfTime."""
        self.knowledge.prover.deadline.check()

    def is_reached(self, location: int) -> bool:
        """Whether a thread may get to a location."""
        return location in self._meeting.number and not self.knowledge.is_dead(location)

    def is_stopped(self, command: int) -> bool:
        """Whether a command never passes."""
        return self.knowledge.is_stopped(command)

    def follows(self, threads: Sequence[int], conclusion: Expr, premises: Iterable[Expr] = ()) -> bool:
        """Whether something holds of threads at some locations, if none is inside of an atomic region.

        *Requires*: it and the premises are about the cells of threads by their numbers here, and globals; see `value`.
        """
        if not self._atomic.isdisjoint(threads):
            return False
        known = (told for number, place in enumerate(threads) for told in self.at(place, number, threads[0]))
        return self.knowledge.prover.is_valid([*known, *premises], conclusion)

    def kind(self, location: int) -> Hashable:
        """What `are_together` depends on, and nothing else: it is the same for locations of one kind."""
        number = self._meeting.number.get(location)
        row = None if number is None else self._meeting.together[number]
        is_dead = self.knowledge.is_dead(location)
        return row, is_dead, location in self._atomic, self._about_globals(location)

    def _agree(self, one: int, other: int) -> bool:
        """Whether all that is known of globals at two locations may hold at once."""
        key = self._about_globals(one), self._about_globals(other)
        if not all(key):
            return True
        if key not in self._agreeing:
            prover = self.knowledge.prover
            self._agreeing[key] = not prover.is_valid(prover.meanings((*key[0], *key[1])), BoolVal(False))
        return self._agreeing[key]

    def _about_globals(self, location: int) -> tuple[int, ...]:
        """The statements at a location about globals alone, where each is one cell."""
        if location not in self._global:
            cells, statements = self._program.cells, self.knowledge.prover.statements
            single = {name for name in self._program.globals if not cells[name].summary}
            found = (number for number in self.knowledge.all_at(location) if statements[number].cells <= single)
            self._global[location] = tuple(found)
        return self._global[location]

    def at(self, location: int, thread: int, actor: int) -> list[Expr]:
        """As `Known` has it: nothing of others, while the thread that moves is inside of an atomic region."""
        if actor in self._atomic and location != actor:
            return []
        if (location, thread) not in self._at:
            statements = self.knowledge.prover.statements
            found = [statements[number] for number in self.knowledge.all_at(location)]
            self._at[location, thread] = [
                of_thread(self._program, statement.meaning, thread, statement.cells)
                for statement in found
                if not any(self._program.cells[cell].summary for cell in statement.cells)
            ]
        return self._at[location, thread]


def value(cell: str, thread: int) -> Expr:
    """The value of a cell: of a global, or of a thread by its number."""
    return cell_of(cell) if thread == GLOBAL else Int(f"cell {cell} of {thread}")


def of_thread(program: Program, expression: Expr, thread: int, cells: Iterable[str]) -> Expr:
    """An expression about some cells, with those of the thread of that number for its own."""
    own = [name for name in cells if program.cells[name].template is not None]
    return substitute(expression, *((cell_of(name), value(name, thread)) for name in own))
