"""What threads do to each other, data races and deadlocks: which checks there are, and what layers show of them."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from duet.certificate.deadlocks import PROPERTY as DEADLOCK
from duet.certificate.deadlocks import Deadlocks
from duet.certificate.document import Phrase
from duet.certificate.established import Established
from duet.certificate.races import PROPERTY as DATA_RACE
from duet.certificate.races import Races
from duet.plip.syntax import Program
from duet.result import Check, Status


class Conflicts(Protocol):
    """The checks of one kind, which are those that a program has whatever a certificate says."""

    @property
    def checks(self) -> Container[Check]: ...

    def failing(self, known: Established) -> Mapping[Check, str]:
        """The checks that may fail for all that is known, each with a reason."""
        ...

    def unreached(self, known: Established) -> Collection[Check]:
        """The checks that no thread comes to."""
        ...


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known of the conflicts of some kinds, by property."""

    kinds: Mapping[str, Conflicts]
    failing: Mapping[Check, str]
    unreached: frozenset[Check]

    def objection(self, check: Check, status: Status) -> str:
        """Why a check need not have a status that says that it never fails; empty if it has."""
        if check.property_name not in self.kinds or check not in self.kinds[check.property_name].checks:
            return "the program has no such check that could be proved"
        if status is Status.UNREACHABLE:
            return "" if check in self.unreached else "a thread may get there"
        return self.failing.get(check, "")


def conflicts_of(
    program: Program, file: str, properties: Iterable[str], given: Mapping[int, Collection[Phrase]]
) -> Mapping[str, Conflicts]:
    """The conflicts of a program that begins in a file, of those kinds that it was read for.

    For others it need not carry what they are about. `given` may be true of threads by what they were given.
    """
    found: dict[str, Conflicts] = {}
    for name in properties:
        if name == DATA_RACE:
            found[name] = Races(program, file, given)
        elif name == DEADLOCK:
            found[name] = Deadlocks(program, file)
    return found


def judged(kinds: Mapping[str, Conflicts], known: Established) -> Judged:
    """What is known of conflicts."""
    failing = {check: reason for kind in kinds.values() for check, reason in kind.failing(known).items()}
    unreached = frozenset[Check]().union(*(kind.unreached(known) for kind in kinds.values()))
    return Judged(kinds, failing, unreached)
