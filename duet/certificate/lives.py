"""Which threads have certainly been started, and which have certainly ended, when a thread is at a location."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from duet.plip.semantics import runs_once
from duet.plip.syntax import Join, Program, Spawn


@dataclass(frozen=True, slots=True)
class Past:
    """Templates of which a thread has been started, and those whose only thread has ended."""

    begun: frozenset[str]
    ended: frozenset[str] = frozenset()


def pasts(program: Program) -> Mapping[int, Past]:
    """What is certain at each location that control gets to: what every way there has started and waited for.

    What had ended when a thread ended has ended for whoever waits for that thread. A join of a thread that never ends
    does not pass.
    """
    start = program.templates[program.main].entry
    found = {start: Past(frozenset((program.main,)))}
    waiting: dict[int, set[int]] = defaultdict(set)  # locations by the exits that joins there wait for
    work = [start]
    while work:
        location = work.pop()
        for target, past in _after(program, location, found, waiting):
            before = found.get(target)
            both = past if before is None else Past(before.begun & past.begun, before.ended & past.ended)
            if both != before:
                found[target] = both
                work += [target, *sorted(waiting[target])]
    return found


def _after(
    program: Program, location: int, found: Mapping[int, Past], waiting: Mapping[int, set[int]]
) -> Iterator[tuple[int, Past]]:
    """Where the steps from a location lead, with what is certain there as far as this way goes."""
    past = found[location]
    for index in program.outgoing[location]:
        command = program.commands[index]
        match command.instruction:
            case Spawn(name):
                more = Past(past.begun | {name}, past.ended)
                yield from ((command.target, more), (program.templates[name].entry, more))
            case Join(name) if runs_once(program, name):
                end = program.templates[name].exit
                waiting[end].add(location)
                if end in found:
                    there = found[end]
                    yield command.target, Past(past.begun | there.begun, past.ended | there.ended | {name})
            case _:
                yield command.target, past
