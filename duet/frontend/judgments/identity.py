"""Ids of threads: that of one that was joined, or that is detached, may be given to one that is created later."""

from __future__ import annotations

from collections import defaultdict

from duet.frontend.ctypes.origins import Origin, ThreadId
from duet.frontend.graph.reach import reached
from duet.frontend.judgments.facts import Facts
from duet.frontend.judgments.marks import Mark
from duet.plip.graphs import control_graph
from duet.plip.syntax import Join, Program, Spawn

ENDED: Mark[str] = Mark("ended")
"""The mark of threads whose id may be used again."""
LATE: Mark[str] = Mark("late")
"""The mark of threads that may be created when the id of another one is free; that of anything is not that of main."""
LOOSE_KEYS: Mark[str] = Mark("loose keys")
"""The mark of programs in which it is not known everywhere by which key a thread keeps its data, by template.

That of anything: code that is not there may do so, with any value.
"""
UNNOTED: Mark[str] = Mark("unnoted allocation")
"""The mark of objects of the heap that may be made by something else than an allocation that is noted as an event.

So are those to which a pointer may lead of which nothing is known: it may come from where nobody follows it.
"""
RENEWED: Mark[str] = Mark("renewed")
"""The mark of objects of the heap that `realloc` made, of which nobody knows what it was given: it may be there."""
FORKED: Mark[str] = Mark("forked")
"""The mark of programs that make other processes of themselves."""
CANCELLED: Mark[str] = Mark("cancelled")
"""The mark of threads that may be cancelled."""
DETACHED: Mark[str] = Mark("detached")
"""The mark of threads that may be detached, of anything for any: joining them need not wait."""
HANDLER: Mark[str] = Mark("handler")
"""The mark of templates that run handlers: in the thread that holds a lock, though here as threads of their own."""
APART: Mark[str] = Mark("handler that may have a thread of its own")
"""The mark of those of them that something else than a signal, or the end of the process, may run."""
SIGNALLED: Mark[str] = Mark("handler of a signal")
"""The mark of those of them that a signal may run."""


def may_share_id(facts: Facts, one: Origin, other: Origin) -> bool:
    """Whether the ids of threads of two templates, given as origins, may be the same."""
    if one is other or not isinstance(one, ThreadId) or not isinstance(other, ThreadId):
        return False
    return _may_follow(facts, one.key, other.key) or _may_follow(facts, other.key, one.key)


def _may_follow(facts: Facts, first: str, second: str) -> bool:
    """Whether a thread may be created when the id of another one is free."""
    is_late = second in facts.marked(LATE) or (facts.is_any_marked(LATE) and second != "main")
    return is_late and (facts.is_any_marked(ENDED) or first in facts.marked(ENDED))


def late_threads(program: Program) -> frozenset[str]:
    """The templates whose threads may be created when some thread was joined, and what these create.

    Joins of threads that are known are commands; those of others are told by the mark.
    """
    joining = {command.target for command in program.commands if isinstance(command.instruction, Join)}
    if not joining:
        return frozenset()
    behind = set(reached(joining, control_graph(program).successors))
    owners = {program.template_of[place] for place in joining}
    started: dict[str, list[str]] = defaultdict(list)
    late: set[str] = set()
    for command in program.commands:
        if isinstance(command.instruction, Spawn):
            owner, new = program.template_of[command.source], command.instruction.template
            started[owner].append(new)
            if command.source in behind or owners - {owner}:
                late.add(new)
    return frozenset(reached(late, lambda name: started.get(name, ())))
