"""Calls of bodies that are shared: what a thread knew where it called, it still knows where that call returns.

A body that several calls share ends in one location, from where ways lead to behind all of its calls. In C a call
returns to where it was made. What is known there of cells that nothing in between may write is what is known at the
call; what is known at the end of the body is known, too.

*Source*: M. Sharir and A. Pnueli, "Two approaches to interprocedural data flow analysis", 1981, the functional approach
in the case of cells that a body leaves alone. *Approximates*: under, what is known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Protocol, Self, TypeAlias, TypeVar

from duet.frontend.graph.reach import Known, by_source, reached
from duet.plip.syntax import Command
from duet.plip.touched import writes


@dataclass(frozen=True, slots=True)
class SharedCall:
    """A call, `at` a location, of a body from `entry` to `hub`, and the location where it comes back."""

    at: int
    entry: int
    hub: int
    back: int


@dataclass(frozen=True, slots=True)
class Landing:
    """Where jumps out of functions, all by way of a hub, lead back `to` once the thread was `at` a location."""

    at: int
    hub: int
    to: int


Crossing: TypeAlias = SharedCall | Landing
"""Where a thread goes from one function on in another one, and comes back."""


class Keeping(Known, Protocol):
    """What may be known at a location of values of cells."""

    def and_kept(self, before: Self, written: Set[str]) -> Self:
        """What is known here, and was known before of cells that were not written since."""
        ...


Kept = TypeVar("Kept", bound=Keeping)


class Returns:
    """Where the calls of a thread return; `changed` are the cells that may be written from a command on.

    `outgoing` are the commands that leave each location, but for those that lead back behind a call.

    *Requires*: calls, and the jumps back, are steps that do nothing.
    """

    def __init__(
        self,
        commands: Iterable[Command],
        calls: Iterable[Crossing],
        changed: Callable[[Command], frozenset[str]] = lambda command: writes(command.instruction),
    ) -> None:
        self._calls: dict[int, list[SharedCall]] = defaultdict(list)
        self._jumps: dict[tuple[int, int], list[int]] = defaultdict(list)
        self._returns: set[tuple[int, int]] = set()
        self._landings: dict[int, list[int]] = defaultdict(list)
        self._leaps: set[int] = set()
        for call in calls:
            if isinstance(call, Landing):
                self._landings[call.at].append(call.to)
                self._leaps.add(call.hub)
                continue
            self._calls[call.at].append(call)
            self._calls[call.hub].append(call)
            self._jumps[call.at, call.entry].append(call.back)
            self._returns.add((call.hub, call.back))
        self.outgoing = by_source(it for it in commands if (it.source, it.target) not in self._returns)
        self._written = self.in_bodies(changed)

    def is_call(self, command: Command) -> bool:
        """Whether a command enters a body."""
        return (command.source, command.target) in self._jumps

    def behind(self, location: int, found: Mapping[int, Kept]) -> Iterator[tuple[int, Kept]]:
        """What is known behind the calls that are made, or whose bodies end, at a location."""
        for call in self._calls.get(location, ()):
            if call.at in found and call.hub in found:
                yield call.back, found[call.hub].and_kept(found[call.at], self._written[call.entry])

    def successors(self, location: int) -> Iterator[int]:
        """The locations that follow one, where a body comes before what is behind its call, and leads back nowhere."""
        yield from (command.target for command in self.outgoing[location])
        yield from (call.back for call in self._calls.get(location, ()) if call.at == location)

    def in_bodies(self, cells: Callable[[Command], Set[str]]) -> Mapping[int, frozenset[str]]:
        """The cells of all commands between the entry of each body and the return from it, by the entry.

        On the way a thread goes on along commands, and enters other bodies, from which it comes back behind the call.
        A jump out of a function leads to where the thread was before: in a body if it was there since that was
        entered, else out of it, so that it never returns from there.
        """

        def successors(location: int) -> Iterator[int]:
            yield from self._landings.get(location, ())
            for command in self.outgoing[location]:
                if command.target not in self._leaps:
                    yield from self._jumps.get((location, command.target), (command.target,))

        found: dict[int, set[str]] = {}
        called: dict[int, set[int]] = {}
        for _, entry in self._jumps:
            if entry in found:
                continue
            leaving = [command for location in reached((entry,), successors) for command in self.outgoing[location]]
            found[entry] = set().union(*map(cells, leaving))
            called[entry] = {item.target for item in leaving if (item.source, item.target) in self._jumps}
        return {
            entry: frozenset().union(*(found[body] for body in reached((entry,), called.__getitem__)))
            for entry in found
        }
