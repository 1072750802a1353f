"""Accesses of handlers and of what they interrupt that one thread makes: no data races, but maybe torn objects.

*Source*: C11 5.1.2.4 paragraph 25: a data race is between different threads. 5.1.2.3 paragraph 5: where a signal
interrupts a thread, values of objects that are neither lock-free atomic objects nor of type `volatile sig_atomic_t` are
unspecified, and those that its handler changes are indeterminate when it returns. 7.22.4.4: what `atexit` registers is
called by the thread that ends the process, once, after all that this thread has done; a handler of a signal must not
end it so (7.14.1.1 paragraph 5), but in a program that has one nothing rests on that here.
*Approximates*: under. A pair that is not seen to be made by one thread is a data race.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cached_property

from duet.plip.accesses import Access
from duet.plip.multiplicity import many
from duet.plip.syntax import Inside, Program


class Order(Enum):
    """How two conflicting accesses are to each other, if two threads of the model can be at them together."""

    RACE = auto()
    INTERRUPTION = auto()
    """One thread makes both, and a handler the one in the middle of the other."""
    NONE = auto()
    """One thread makes both in turn, or what it accesses is a flag that is made for that."""


@dataclass
class Threads:
    """Which threads of a program there may be when one is at a location, as far as `together` says.

    `kind`: what the answers about a location depend on.
    """

    program: Program
    together: Callable[[int, int], bool]
    kind: Callable[[int], Hashable]
    _alive: dict[tuple[Hashable, str], frozenset[str]] = field(default_factory=dict)

    @cached_property
    def _several(self) -> frozenset[str]:
        return frozenset(many(self.program))

    @cached_property
    def _places(self) -> Mapping[str, Sequence[int]]:
        """A location of each kind of those that the threads of a template have, but for handlers."""
        own = {name: item for name, item in self.program.templates.items() if item.inside is None}
        firsts: dict[str, dict[Hashable, int]] = {name: {} for name in own}
        for place, name in self.program.template_of.items():
            if name in own and place != own[name].exit:
                firsts[name].setdefault(self.kind(place), place)
        return {name: tuple(found.values()) for name, found in firsts.items()}

    @cached_property
    def _handlers(self) -> frozenset[Inside]:
        return frozenset(item.inside for item in self.program.templates.values() if item.inside is not None)

    def alive(self, location: int) -> frozenset[str]:
        """The templates of threads that there may be besides one at a location; handlers are no threads of their own.

        Also a thread that waits at its start is one. One that has ended is none: what interrupts its end is as if it
        came just before.
        """
        if not self._handlers:
            return frozenset()
        template = self.program.template_of[location]
        key = (self.kind(location), template)
        if key not in self._alive:
            others = (name for name in self._places if name != template or name in self._several)
            self._alive[key] = frozenset(name for name in others if self._may_meet(location, self._places[name]))
        return self._alive[key]

    def _may_meet(self, location: int, places: Iterable[int]) -> bool:
        return any(self.together(location, place) for place in places)

    def order(self, one: tuple[int, Access], other: tuple[int, Access]) -> Order:
        """How two conflicting accesses at two locations are to each other."""
        inside = [self.program.templates[self.program.template_of[place]].inside for place, _ in (one, other)]
        handlers = [item for item in inside if item is not None]
        if not handlers:
            return Order.RACE
        if handlers == [Inside.EXIT, Inside.EXIT]:
            return Order.NONE
        common = self.alive(one[0]) & self.alive(other[0])
        if len(handlers) == 1 and common:
            return Order.RACE
        if len(handlers) == 2 and (len(common) > 1 or common & self._several):
            return Order.RACE
        if one[1].is_of_flag and other[1].is_of_flag:
            return Order.NONE
        return Order.INTERRUPTION if Inside.SIGNAL in self._handlers else Order.NONE
