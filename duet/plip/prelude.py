"""Where the first thread can only be before it has started others: nobody of these runs at the same time.

Commands alone lead back there from later calls of the bodies that calls share: `main` reads its settings, and prints by
a function that is called again when threads run. A thread comes back only behind the call that it has made.

*Approximates*: under.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import networkx as nx

from duet.plip.graphs import spawn_graph
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.once import once
from duet.plip.returns import Return, returns
from duet.plip.syntax import Program, Spawn


@once
def preludes(program: Program) -> Mapping[frozenset[str], frozenset[int]]:
    """The locations of the first thread where it has certainly not started a thread that leads to some templates.

    Those have the same locations together. Where calls share bodies, each template but its own is in one set of them.
    """
    calls = returns(program)
    if not calls or multiplicities(program)[program.main] is not Multiplicity.ONE:
        return {}  # without calls, commands alone tell it
    spawns = spawn_graph(program)
    starts: defaultdict[str, set[int]] = defaultdict(set)
    for index in program.templates[program.main].commands:
        instruction = program.commands[index].instruction
        if isinstance(instruction, Spawn):
            for name in (instruction.template, *nx.descendants(spawns, instruction.template)):
                starts[name].add(index)
    together: defaultdict[frozenset[int], set[str]] = defaultdict(set)
    for name in program.templates.keys() - {program.main}:
        together[frozenset(starts[name])].add(name)
    own = frozenset(at for at, name in program.template_of.items() if name == program.main)
    return {frozenset(names): own - _later(program, by, calls) for by, names in together.items()}


def _later(program: Program, starts: frozenset[int], calls: Iterable[Return]) -> frozenset[int]:
    """Where a thread may be once it has executed one of some commands.

    Behind a call it is there after that only if the call, or one of these commands, was executed after that.
    """
    commands = program.commands
    made = {call.back: commands[call.call].source for call in calls if starts.isdisjoint(call.body)}
    backs: defaultdict[int, list[int]] = defaultdict(list)
    for back, source in made.items():
        backs[source].append(back)
    later = {commands[index].target for index in starts}
    work = sorted(later)
    while work:
        location = work.pop()
        ways = [index for index in program.outgoing[location] if made.get(index, location) in later]
        ways += [back for back in backs[location] if commands[back].source in later]
        found = {commands[index].target for index in ways} - later
        later |= found
        work += sorted(found)
    return frozenset(later)
