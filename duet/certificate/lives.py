"""Which threads have certainly been started, and which have certainly ended, when a thread is at a location."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from duet.certificate.threads import Threads
from duet.plip.semantics import runs_once
from duet.plip.syntax import Join, Program, Spawn


@dataclass(frozen=True, slots=True)
class Past:
    """Templates of which a thread has been started, and those whose only thread has ended.

    `loose` are those of which threads may run, or be started by others than the thread itself.
    """

    begun: frozenset[str]
    ended: frozenset[str] = frozenset()
    loose: frozenset[str] = frozenset()

    def joined(self, name: str, end: Past) -> Past:
        """What is certain when a thread has been waited for of which `end` is known at its exit."""
        loose = (self.loose & end.loose) - {name}
        return Past(self.begun | end.begun, self.ended | end.ended | {name}, loose)


def pasts(program: Program) -> Mapping[int, Past]:
    """What is certain at each location that control gets to: what every way there has started and waited for.

    What had ended when a thread ended has ended for whoever waits for that thread. A join of a thread that never ends
    does not pass.
    """
    threads = Threads(program)
    start = program.templates[program.main].entry
    found = {start: Past(frozenset((program.main,)), loose=frozenset((program.main,)))}
    waiting: dict[int, set[int]] = defaultdict(set)  # locations by the exits that joins there wait for
    work = [start]
    while work:
        location = work.pop()
        for target, past in _after(threads, location, found, waiting):
            before = found.get(target)
            both = past if before is None else _either(before, past)
            if both != before:
                found[target] = both
                work += [target, *sorted(waiting[target])]
    return found


def over_after(program: Program, found: Mapping[int, Past]) -> Mapping[int, frozenset[str]]:
    """For each command that waits for a thread that runs once: the templates of which none runs behind it.

    *Requires*: `found` are the pasts of the program.
    """
    waits = {
        index: command.instruction.template
        for index, command in enumerate(program.commands)
        if isinstance(command.instruction, Join) and runs_once(program, command.instruction.template)
    }
    ends = {name: found.get(program.templates[name].exit) for name in waits.values()}
    whole = frozenset(program.templates)
    return {
        index: frozenset((name,)) | (whole - end.loose if (end := ends[name]) else frozenset())
        for index, name in waits.items()
    }


def _either(left: Past, right: Past) -> Past:
    return Past(left.begun & right.begun, left.ended & right.ended, left.loose | right.loose)


def _after(
    threads: Threads, location: int, found: Mapping[int, Past], waiting: Mapping[int, set[int]]
) -> Iterator[tuple[int, Past]]:
    """Where the steps from a location lead, with what is certain there as far as this way goes."""
    program, past = threads.program, found[location]
    for index in program.outgoing[location]:
        command = program.commands[index]
        match command.instruction:
            case Spawn(name):
                begun = past.begun | {name}
                yield command.target, Past(begun, past.ended, past.loose | threads.leads_to(name))
                own = program.template_of[location]
                yield program.templates[name].entry, Past(begun, past.ended, _loose_at_entry(threads, own, name, past))
            case Join(name) if runs_once(program, name):
                end = program.templates[name].exit
                waiting[end].add(location)
                if end in found:
                    yield command.target, past.joined(name, found[end])
            case _:
                yield command.target, past


def _loose_at_entry(threads: Threads, parent: str, child: str, past: Past) -> frozenset[str]:
    """What may run, or be started by others, when a thread begins: all that its parent may have started or still may.

    What only a thread that runs once leads to is not there when it begins.
    """
    loose = past.loose | (threads.leads_to(parent) - past.ended) | {child}
    return loose - (threads.later(child) - {child}) if child in threads.once else loose
