"""The races and deadlocks that a certificate covers: those of which the checker says that layers exclude them.

Layers that no other check needs are only written if the checker accepts them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from duet.certificate.check import accepted, believed
from duet.certificate.conflicts import Judged, conflicts_of
from duet.certificate.document import Layer, Phrase
from duet.deadline import Deadline, OutOfTime
from duet.errors import UsageError
from duet.plip.syntax import Program
from duet.result import CONFLICTS, Assertion, Check


@dataclass(frozen=True, slots=True)
class Asked:
    """Verdicts on a program that was read for some properties and begins in a file.

    `given` may be true of its threads by what they were given. The checks that are `settled` hold.
    """

    program: Program
    file: str
    properties: tuple[str, ...]
    assertions: tuple[Assertion, ...]
    given: Mapping[int, tuple[Phrase, ...]]
    settled: frozenset[int] = frozenset()

    @property
    def wanted(self) -> Sequence[Assertion]:
        """The verdicts on conflicts that are to be shown."""
        return [one for one in self.assertions if one.status.is_safe and one.check.property_name in CONFLICTS]


def excluded(
    asked: Asked, layers: Sequence[Layer], first: int, deadline: Deadline
) -> tuple[tuple[Layer, ...], frozenset[Check]]:
    """The first layers, with as many behind them as show more of conflicts, and what these show.

    Of the first ones nobody asks whether they hold. What is not known by the deadline is not shown.
    """
    wanted = asked.wanted
    best = tuple(layers[:first]), frozenset[Check]()
    with suppress(OutOfTime, UsageError):  # the latter where the checker does not take the layers either
        for count, told in _judged(asked, layers, first, deadline) if wanted else ():
            found = frozenset(one.check for one in wanted if not told.objection(one.check, one.status))
            if len(found) > len(best[1]):
                best = tuple(layers[:count]), found
            if len(found) == len(wanted):
                break
    return best


def _judged(asked: Asked, layers: Sequence[Layer], first: int, deadline: Deadline) -> Iterator[tuple[int, Judged]]:
    """What so many layers show of conflicts: the first as they are, then more as long as the checker accepts them."""
    properties = {one.check.property_name for one in asked.wanted}.intersection(asked.properties)
    kinds = conflicts_of(asked.program, asked.file, properties, asked.given)
    yield first, believed(asked.program, layers[:first], kinds, deadline)
    if first < len(layers):
        told = enumerate(accepted(asked.program, layers, kinds, asked.settled, deadline), 1)
        yield from ((count, found()) for count, found in told if count > first)
