"""Which threads have certainly been started, and which have certainly ended, when a thread is at a location.

*Approximates*: only what every path of the thread, and of those that started it, has started or joined by then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.syntax import Join, Program, Spawn


@dataclass(frozen=True, slots=True)
class Lifetime:
    """Templates of which an instance has been started, and those whose one instance has ended."""

    begun: frozenset[str] = frozenset()
    ended: frozenset[str] = frozenset()

    def __and__(self, other: Lifetime) -> Lifetime:
        """What both say."""
        return Lifetime(self.begun & other.begun, self.ended & other.ended)

    def __or__(self, other: Lifetime) -> Lifetime:
        """What one of them says."""
        return Lifetime(self.begun | other.begun, self.ended | other.ended)


def lifetimes(program: Program) -> dict[int, Lifetime]:
    """What is certain at each location that control can get to."""
    many = multiplicities(program)
    joins: dict[int, list[int]] = defaultdict(list)
    for command in program.commands:
        if isinstance(command.instruction, Join):
            joins[program.templates[command.instruction.template].exit].append(command.source)

    def after(source: int, known: Lifetime) -> Iterator[tuple[int, Lifetime]]:
        for index in program.outgoing[source]:
            command = program.commands[index]
            match command.instruction:
                case Spawn(name):
                    started = known | Lifetime(frozenset((name,)))
                    yield command.target, started
                    yield program.templates[name].entry, started
                case Join(name) if many[name] is Multiplicity.ONE:
                    end = found.get(program.templates[name].exit)
                    if end is not None:  # else nobody gets past it
                        yield command.target, known | end | Lifetime(ended=frozenset((name,)))
                case _:
                    yield command.target, known

    start = program.templates[program.main].entry
    found = {start: Lifetime(frozenset((program.main,)))}
    work = [start]
    while work:
        location = work.pop()
        for target, known in after(location, found[location]):
            before = found.get(target)
            both = known if before is None else before & known
            if both != before:
                found[target] = both
                work += [target, *(source for source in joins[target] if source in found)]
    return found
