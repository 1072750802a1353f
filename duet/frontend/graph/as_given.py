"""Strings that a program was given: those of its arguments, and of the library, end until something is written there.

Later they may hold anything. Most programs read their arguments before they start a thread, or write anywhere.

*Approximates*: under. It is asked what this thread may have written on a way to a location, and started.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from duet.frontend.graph.alone import alone
from duet.frontend.graph.insides import Noted, holding
from duet.frontend.graph.returns import Crossing
from duet.plip.syntax import Command


def with_given(
    commands: Sequence[Command], entry: int, calls: Iterable[Crossing], noted: Noted, key: str
) -> list[Command]:
    """The commands of the first thread; checks hold that ask for what an object was `as_given`, until it was written.

    That may be so at the location itself, or on a way to it: by this thread, or by one that was started there.
    """
    if not noted.as_given:
        return list(commands)
    written = {location for location, keys in noted.written.items() if keys is None or key in keys}
    fine = noted.as_given & alone(commands, entry, calls, written) - written
    return [holding(command) if command.source in fine else command for command in commands]
