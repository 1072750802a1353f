"""The bounds of a term where a thread is, by the guards that lead there.

All ways back from a location are followed, by commands that leave the cells of the term alone, to guards that say
something of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from duet.frontend.graph.apart import Form, Found, found_of
from duet.frontend.graph.returns import Crossing, Landing, SharedCall
from duet.plip.syntax import Atom, Command, Guard, Linear
from duet.plip.touched import writes

_FAR = 64
"""So many locations are looked at on the ways back."""


@dataclass(frozen=True, slots=True)
class Ways:
    """The commands that lead to each location, where the calls were made that come back there, and `open` locations.

    To these more commands may lead.
    """

    incoming: Mapping[int, Sequence[Command]]
    calls: Mapping[int, int]
    open: frozenset[int]

    def bounds(self, location: int, term: Linear, may_be_called: bool) -> tuple[int | None, int | None]:
        """The least and the greatest value of a term, None where there is none.

        *Requires*: only the thread writes its cells; no function that it calls does so, if calls may be in between.
        """
        form, cells = term.terms, {cell for cell, _ in term.terms}
        seen, work, found = {location}, [location], list[Found]()
        while work:
            place = work.pop()
            commands = self.incoming.get(place, ())
            if not commands or place in self.open or len(seen) > _FAR:
                return None, None
            for command in commands:
                source, instruction = command.source, command.instruction
                told = _told(instruction, form) if isinstance(instruction, Guard) else None
                if told is not None:
                    found.append(told)
                    continue
                if isinstance(instruction, Guard) and instruction.call:
                    if not may_be_called or place not in self.calls:
                        return None, None
                    source = self.calls[place]
                elif not cells.isdisjoint(writes(instruction)):
                    return None, None
                if source not in seen:
                    seen.add(source)
                    work.append(source)
        lows, highs = [it.lo for it in found], [it.hi for it in found]
        low = None if None in lows else min(it for it in lows if it is not None)
        high = None if None in highs else max(it for it in highs if it is not None)
        return _plus(low, term.constant), _plus(high, term.constant)


def ways(commands: Iterable[Command], crossings: Collection[Crossing], entries: Iterable[int]) -> Ways:
    """The ways among some commands, which others of the thread enter at entries, and where jumps out of functions lead."""
    incoming: dict[int, list[Command]] = defaultdict(list)
    for command in commands:
        incoming[command.target].append(command)
    calls = {call.back: call.at for call in crossings if isinstance(call, SharedCall)}
    landings = [place for call in crossings if isinstance(call, Landing) for place in (call.hub, call.to)]
    return Ways(incoming, calls, frozenset((*entries, *landings)))


def _told(guard: Guard, form: Form) -> Found | None:
    """What a guard says of a term; None where that is nothing."""
    answer = found_of(guard.condition) if isinstance(guard.condition, Atom) else None
    if answer is None or answer[0] != form or answer[1] == Found(unlike=answer[1].unlike):
        return None
    return answer[1]


def _plus(bound: int | None, constant: int) -> int | None:
    return None if bound is None else bound + constant
