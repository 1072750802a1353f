"""Which threads have certainly been started, and which have certainly ended, when a thread is at a location.

*Approximates*: only what every path of the thread, and of those that started it, has started or joined by then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import networkx as nx

from duet.plip.graphs import spawn_graph
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.syntax import Join, Program, Spawn
from duet.records import dataclass


@dataclass(frozen=True, slots=True)
class Lifetime:
    """Templates of which an instance has been started, and those whose one instance has ended.

    Of those in `idle` no instance runs, and none will unless the thread at the location starts one, or one that does.
    """

    begun: frozenset[str] = frozenset()
    ended: frozenset[str] = frozenset()
    idle: frozenset[str] = frozenset()

    def __and__(self, other: Lifetime) -> Lifetime:
        """What both say."""
        return Lifetime(self.begun & other.begun, self.ended & other.ended, self.idle & other.idle)

    def __or__(self, other: Lifetime) -> Lifetime:
        """What one of them says."""
        return Lifetime(self.begun | other.begun, self.ended | other.ended, self.idle | other.idle)


def lifetimes(program: Program) -> dict[int, Lifetime]:
    """What is certain at each location that control can get to."""
    many = multiplicities(program)
    spawns = spawn_graph(program)
    below = {name: frozenset(nx.descendants(spawns, name)) for name in program.templates}
    joins: dict[int, list[int]] = defaultdict(list)
    for command in program.commands:
        if isinstance(command.instruction, Join):
            joins[program.templates[command.instruction.template].exit].append(command.source)

    def after(source: int, known: Lifetime) -> Iterator[tuple[int, Lifetime]]:
        for index in program.outgoing[source]:
            command = program.commands[index]
            match command.instruction:
                case Spawn(name):
                    begun = known.begun | {name}
                    yield command.target, Lifetime(begun, known.ended, known.idle - below[name] - {name})
                    idle = _lasting(known, below[program.template_of[source]])
                    if many[name] is Multiplicity.ONE:
                        idle |= _only_through(spawns, program.main, name)
                    yield program.templates[name].entry, Lifetime(begun, known.ended, idle)
                case Join(name) if many[name] is Multiplicity.ONE:
                    end = found.get(program.templates[name].exit)
                    if end is not None:  # else nobody gets past it
                        over = frozenset((name,))
                        yield command.target, known | end | Lifetime(ended=over, idle=over)
                case _:
                    yield command.target, known

    start = program.templates[program.main].entry
    found = {start: Lifetime(frozenset((program.main,)), idle=below[program.main] - {program.main})}
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


def _lasting(known: Lifetime, below: frozenset[str]) -> frozenset[str]:
    """What is idle for good, while a thread that may start those `below` goes on."""
    return known.ended | (known.idle - below)


def _only_through(spawns: nx.DiGraph[str], main: str, name: str) -> frozenset[str]:
    """The templates that only a template leads to: none of them runs when the only thread of that one begins."""
    others = nx.restricted_view(spawns, [name], [])
    return frozenset(nx.descendants(spawns, name)) - {main, name} - nx.descendants(others, main)


def awaited(program: Program) -> Mapping[int, frozenset[str]]:
    """The templates of which certainly no thread runs when a command that joins has passed, by that command.

    They are that of the thread that it waits for, and those that were idle when that one ended.
    """
    joined = _joined(program)
    found = lifetimes(program) if joined else {}
    ends = {name: found.get(program.templates[name].exit, Lifetime()) for name in joined.values()}
    return {index: ends[name].idle | {name} for index, name in joined.items()}


def ended_behind(program: Program) -> Mapping[int, Sequence[str]]:
    """The templates whose only thread is at its exit, for good, when a command that joins has passed, by that command.

    They are that of the thread that it waits for, and those that had certainly ended when that one ended.
    """
    joined = _joined(program)
    found = lifetimes(program) if joined else {}
    ends = {name: found.get(program.templates[name].exit, Lifetime()).ended for name in joined.values()}
    return {index: sorted(ends[name] | {name}) for index, name in joined.items()}


def _joined(program: Program) -> Mapping[int, str]:
    """The commands that wait for a thread, which is the only one of its template."""
    joining = [(index, c.instruction) for index, c in enumerate(program.commands) if isinstance(c.instruction, Join)]
    many = multiplicities(program) if joining else {}
    return {index: join.template for index, join in joining if many[join.template] is Multiplicity.ONE}
