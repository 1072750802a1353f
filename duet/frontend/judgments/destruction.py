"""Locks that are destroyed: which threads may use them later, so that these have to ask whether they still are there.

A thread that was joined uses no lock any more; nor do the threads that it has joined itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from duet.frontend.graph.builder import Builder
from duet.frontend.graph.events import Destroying
from duet.frontend.graph.reach import reached
from duet.frontend.judgments.marks import Mark
from duet.plip.graphs import strong_components
from duet.plip.syntax import Spawn

DESTROYED: Mark[str] = Mark("destroyed")
"""The mark of locks that are destroyed somewhere, by cell."""
USED_LATE: Mark[str] = Mark("used when destroyed")
"""The mark of locks that are destroyed and may be used later, by cell."""
LATE_USES: Mark[tuple[str, str]] = Mark("uses of what is destroyed")
"""The mark of such uses, by cell and template."""
_UNTOLD = "<lock that is not told apart> "
"""Starts the name that stands for all locks in an object that share a cell; alone it stands for any such lock."""
JOINED_IN_LOOPS = "all threads that a loop joins have ended behind it, so that none uses a lock that is destroyed there"
"""What is assumed of threads that are joined in a loop, which may run any number of times."""


def untold(key: str | None) -> str:
    """What stands for the cells of the locks in an object that are not told apart, in any object for None."""
    return f"{_UNTOLD}{key or ''}"


def _may_be_same(one: str, other: str) -> bool:
    """Whether what stands for cells of locks may stand for the same lock."""
    are_untold = one.startswith(_UNTOLD) and other.startswith(_UNTOLD)
    return one == other or (are_untold and _UNTOLD in (one, other))


@dataclass(frozen=True, slots=True)
class Destruction:
    """A place that destroys a lock, the locks that the thread may use behind it, and the threads that have ended there.

    `joined` are templates each way there joins, `in_loops` those that a loop on each way there joins.
    """

    what: Destroying
    used_later: frozenset[str]
    joined: frozenset[str]
    in_loops: frozenset[str]


@dataclass(frozen=True, slots=True)
class Course:
    """What a template does with locks and threads: those that it uses, and that it starts, or joins on each way."""

    used: frozenset[str]
    started: frozenset[str]
    joined: frozenset[str]
    destructions: tuple[Destruction, ...]


def course(builder: Builder) -> Course:
    """What the template does that was just built."""
    events = builder.events
    templates = sorted({name for names in events.joined.values() for name in names})
    places = {name: {place for place, names in events.joined.items() if name in names} for name in templates}
    joined = {name: _passing(builder, found) for name, found in places.items()}
    in_loops = {name: _passing(builder, _around(builder, found)) for name, found in places.items() if events.destroyed}
    used_behind = _used_behind(builder, events.destroyed)

    def passed_before(goal: int, ways: Mapping[str, Callable[[int], bool]]) -> frozenset[str]:
        return frozenset(name for name, is_passed in ways.items() if is_passed(goal))

    destructions = tuple(
        Destruction(what, used_behind[place], passed_before(place, joined), passed_before(place, in_loops))
        for place, found in events.destroyed.items()
        for what in found
    )
    started = frozenset(c.instruction.template for c in builder.commands if isinstance(c.instruction, Spawn))
    used = frozenset(cell for cells in events.used.values() for cell in cells)
    return Course(used, started, passed_before(builder.exit, joined), destructions)


def _passing(builder: Builder, ways: Collection[int]) -> Callable[[int], bool]:
    """Whether each way from the beginning to a location comes by one of some others, if there are any."""

    def elsewhere(place: int) -> Iterable[int]:
        return () if place in ways else builder.successors(place)

    past = frozenset(reached([builder.entry], elsewhere)) if ways else frozenset()
    return lambda goal: bool(ways) and (goal in ways or goal not in past)


def _around(builder: Builder, places: Collection[int]) -> frozenset[int]:
    """The locations of the loops that some locations are in."""
    found: set[int] = set()
    for place in places:
        behind = set(reached(builder.successors(place), builder.successors))
        if place in behind:
            found.update(reached([place], _within(builder, behind)))
    return frozenset(found)


def _within(builder: Builder, places: Collection[int]) -> Callable[[int], Iterable[int]]:
    """The predecessors of a location among some."""
    before: dict[int, list[int]] = {}
    for place in places:
        for target in builder.successors(place):
            before.setdefault(target, []).append(place)
    return lambda place: before.get(place, ())


def _used_behind(builder: Builder, places: Collection[int]) -> Mapping[int, frozenset[str]]:
    """The locks that are used on some way from a location on, for some locations and what follows them."""
    found: dict[int, frozenset[str]] = {}
    for part in strong_components(places, builder.successors):
        behind = {found[target] for place in part for target in builder.successors(place) if target in found}
        own = (builder.events.used.get(place, ()) for place in part)
        behind.add(frozenset(cell for cells in own for cell in cells))
        largest = max(behind, key=len)
        used = largest if all(cells <= largest for cells in behind) else largest.union(*behind)
        found.update(dict.fromkeys(part, used))
    return found


def late_users(
    courses: Mapping[str, Course], many: Collection[str], assume: Callable[[Destroying], None]
) -> Iterator[tuple[str, str]]:
    """The cells of locks and the templates that may use them when they are destroyed.

    `assume` is told of what is destroyed behind loops that join all of its users (see `JOINED_IN_LOOPS`).
    """
    for template, own in courses.items():
        for found in own.destructions:
            cell = found.what.cell
            ended = _ended(courses, found.joined, set(many))
            in_loops = found.in_loops & own.started & set(many) if template not in many else frozenset()
            for user, other in courses.items():
                used = other.used if user != template or user in many else found.used_later
                meant = [own_cell for own_cell in sorted(used) if _may_be_same(cell, own_cell)]
                if not meant or user in ended:
                    continue
                if user in in_loops:
                    assume(found.what)
                else:
                    yield from ((own_cell, user) for own_cell in meant)


def _ended(courses: Mapping[str, Course], joined: frozenset[str], many: Collection[str]) -> frozenset[str]:
    """The templates whose only thread has ended where some are joined: they, and what they join themselves."""

    def single(names: frozenset[str]) -> frozenset[str]:
        return names.difference(many)

    return frozenset(reached(single(joined), lambda name: single(courses[name].joined) if name in courses else ()))
