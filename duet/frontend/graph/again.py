"""Which places a thread may pass several times, where calls come back behind themselves.

A way on which a thread is at a place twice first leaves calls that were made before, then makes calls that it does not
come back from: all others it makes on the way end where they began. So what was passed is told apart by where that was:
in this activation of a body or in one that was called from it and is over (`before`), or further out (`around`), from
which a thread does not come back by leaving this body.

*Source*: T. Reps, S. Horwitz and M. Sagiv, "Precise interprocedural dataflow analysis via graph reachability", 1995:
valid paths. *Approximates*: over; any body may come to its end, and from there to behind any call of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache

from duet.frontend.graph.reach import by_source, known_on_all_ways
from duet.frontend.graph.returns import Crossing, SharedCall
from duet.plip.syntax import Command
from duet.records import dataclass

_NONE: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Passed:
    """The places that a thread may have passed, and the entries of the bodies that it may be in."""

    before: frozenset[int] = _NONE
    around: frozenset[int] = _NONE
    bodies: frozenset[int] = _NONE

    def common(self, other: _Passed) -> _Passed:
        return _Passed(self.before | other.before, self.around | other.around, self.bodies | other.bodies)


class _Jumps(Exception):
    """A body is left other than by coming back behind a call of it."""


def passed_again(
    commands: Sequence[Command], entry: int, calls: Collection[Crossing], places: Collection[Collection[int]]
) -> list[bool]:
    """Of each of some sets of locations, whether a thread may pass locations of it several times.

    Where jumps leave bodies, calls and their ends are not matched.
    """
    shared = [call for call in calls if isinstance(call, SharedCall)]
    try:
        found = _found(commands, entry, shared if len(shared) == len(calls) else (), places)
    except _Jumps:
        found = _found(commands, entry, (), places)
    return [
        any(not among.isdisjoint(it.before | it.around) for it in map(found.get, among) if it is not None)
        for among in map(frozenset, places)
    ]


def _found(
    commands: Sequence[Command], entry: int, calls: Collection[SharedCall], places: Iterable[Collection[int]]
) -> dict[int, _Passed]:
    """What a thread may have passed when it comes to a location, but for some where it can only go on."""
    followed = frozenset(place for among in places for place in among)
    kept = followed.union(*((call.at, call.entry, call.hub, call.back) for call in calls))
    ahead = _shortened(commands, kept)
    entries = {(call.at, call.entry) for call in calls}
    ends = {(call.hub, call.back): call.entry for call in calls}
    meeting: defaultdict[int, list[SharedCall]] = defaultdict(list)
    for call in calls:
        meeting[call.at].append(call)
        meeting[call.hub].append(call)

    def passing(location: int, known: _Passed) -> frozenset[int]:
        return known.before | {location} if location in followed else known.before

    def behind(location: int, known: _Passed) -> Iterator[tuple[int, _Passed]]:
        here = passing(location, known)
        for target in ahead(location):
            way = location, target
            if way in entries:
                yield target, _Passed(_NONE, here | known.around, frozenset((target,)))
            elif way not in ends:
                yield target, known if here is known.before else _Passed(here, known.around, known.bodies)
            elif known.bodies <= {ends[way]}:
                yield target, _Passed(here)
            else:
                raise _Jumps

    def returned(location: int, found: Mapping[int, _Passed]) -> Iterator[tuple[int, _Passed]]:
        for call in meeting.get(location, ()):
            if call.at in found and call.hub in found:
                before = found[call.at]
                yield call.back, _Passed(passing(call.at, before), before.around, before.bodies)

    return known_on_all_ways(entry, _Passed(bodies=frozenset((entry,))), behind, ahead, returned)


def _shortened(commands: Sequence[Command], kept: Container[int]) -> Callable[[int], Sequence[int]]:
    """What follows a location, past all locations from where there is one way on, but for those that are kept."""
    outgoing = by_source(commands)

    def end(location: int) -> int:
        passed = set[int]()
        while location not in kept and len(outgoing[location]) == 1 and location not in passed:
            passed.add(location)
            location = outgoing[location][0].target
        return location

    return cache(lambda location: [end(command.target) for command in outgoing[location]])
