"""The list to act on: open checks in the order to read them, put together where they hang on one cause.

The order is that of `Level`, of what is likely that of `Chance`. Checks of one level stand by their groups, groups of
what was lost with the largest first, all others in source order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from duet.result import Assertion, Cause, CauseKind, Check, Run, Status


class Level(IntEnum):
    """How much an open check asks for a look, the most urgent first."""

    SHOWN = 1
    MODEL = 2
    CERTAIN = 3
    LIKELY = 4
    INPUT = 5
    LOST = 6
    UNDECIDED = 7

    @property
    def words(self) -> str:
        return _WORDS[self]


_WORDS = {
    Level.SHOWN: "fails, by a schedule of the program",
    Level.MODEL: "fails under a schedule of the model",
    Level.CERTAIN: "fails whenever a thread gets there",
    Level.LIKELY: "likely to fail, by what the program itself does",
    Level.INPUT: "fails if a value from outside is chosen for it",
    Level.LOST: "not decided: the analysis lost something",
    Level.UNDECIDED: "not decided: the run did not get to it",
}


@dataclass(frozen=True, slots=True)
class Ranked:
    """An open check, by its index in the run, with its place in the list, counted from 1, and that of its group."""

    index: int
    rank: int
    group: int
    level: Level
    assertion: Assertion


@dataclass(frozen=True, slots=True)
class Group:
    """Open checks that hang on one cause; `number` counts from 1 in the order to read them."""

    number: int
    cause: Cause
    level: Level
    members: tuple[Ranked, ...]


@dataclass(frozen=True)
class Agenda:
    """The open checks of a run in groups, the first to be read first."""

    groups: tuple[Group, ...]

    @cached_property
    def places(self) -> Mapping[int, Ranked]:
        """The place of each open check, by its index in the run."""
        return {ranked.index: ranked for group in self.groups for ranked in group.members}


def level(assertion: Assertion, cause: Cause) -> Level:
    """How much an open check that hangs on a cause asks for a look."""
    if assertion.status is Status.UNKNOWN:
        return Level.UNDECIDED
    if assertion.status is Status.REFUTED:
        return Level.SHOWN
    if assertion.schedule and (assertion.is_certain or cause.kind is not CauseKind.LOST):
        return Level.MODEL
    if assertion.is_certain:
        return Level.CERTAIN
    return {CauseKind.INPUT: Level.INPUT, CauseKind.LOST: Level.LOST}.get(cause.kind, Level.LIKELY)


def agenda(run: Run) -> Agenda:
    """The groups of the open checks of a run."""
    members: dict[tuple[Level, Cause], list[tuple[int, Assertion]]] = defaultdict(list)
    open_checks = [(at, assertion) for at, assertion in enumerate(run.assertions) if not assertion.status.is_safe]
    pointers = _pointer_causes(assertion for _, assertion in open_checks)
    for at, assertion in open_checks:
        cause = _cause(assertion, pointers)
        members[level(assertion, cause), cause].append((at, assertion))
    ordered = sorted(members.items(), key=lambda item: _order(item[0], len(item[1]), item[1][0][1].check))
    groups: list[Group] = []
    rank = 0
    for number, ((found, cause), inside) in enumerate(ordered, 1):
        ranked = []
        for at, assertion in sorted(inside, key=lambda one: (one[1].check, one[0])):
            rank += 1
            ranked.append(Ranked(at, rank, number, found, assertion))
        groups.append(Group(number, cause, found, tuple(ranked)))
    return Agenda(tuple(groups))


def _order(what: tuple[Level, Cause], size: int, first: Check) -> tuple[Level, int, int, str, int, Check, str]:
    """The order of a group of a size and with a first check, by its level and cause."""
    found, cause = what
    chance = cause.chance if found is Level.LIKELY else 0
    return found, chance, -size if found >= Level.INPUT else 0, cause.file, cause.line, first, cause.text


def _cause(assertion: Assertion, pointers: Mapping[tuple[str, int, int], Cause]) -> Cause:
    """What an open check hangs on: for an access, what the pointer that it follows does, where that is lost, too."""
    check = assertion.check
    found = assertion.cause
    if found is None:
        if assertion.status is Status.UNKNOWN:
            return Cause(CauseKind.LOST, assertion.reason or "nothing was found out about them")
        return Cause(CauseKind.LOST, assertion.reason or "it does not follow", check.file, check.line)
    is_here = (found.file, found.line) == (check.file, check.line) and found.kind is CauseKind.LOST
    if check.property_name == "array-bounds" and is_here:
        return pointers.get((check.file, check.line, check.column), found)
    return found


def _pointer_causes(found: Iterable[Assertion]) -> Mapping[tuple[str, int, int], Cause]:
    """Why nothing is known of pointers that are followed, by the place of the access."""
    return {
        (a.check.file, a.check.line, a.check.column): a.cause
        for a in found
        if a.check.property_name == "null-dereference"
        and a.cause is not None
        and a.cause.kind in (CauseKind.LOST, CauseKind.INPUT)
    }
