"""Which definitions come back from bodies that calls share: those that are made there, and those seen at the call.

*Source*: M. Sharir and A. Pnueli, "Two approaches to interprocedural data flow analysis", 1981, the functional approach
(the functions are of the form "what was there, or one of these").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain

import networkx as nx

from datalog.bitset import bits
from duet.flow.packs import Packing
from duet.plip.live import live_cells
from duet.plip.multiplicity import many
from duet.plip.returns import Level, levels, returns
from duet.plip.syntax import Program


class Returned:
    """What the calls of shared bodies bring back, by the packs that each command `defines` for its own thread.

    These map to whether the command kills what was there. `levels` are the bodies by their entries, `call_of` the calls
    that are told apart by the commands that come back from them. A pack that no other thread `writes` is defined by
    writes only: what a body asks about in guards is what it was at the call.
    """

    def __init__(
        self,
        program: Program,
        packing: Packing,
        defines: Sequence[Mapping[int, bool]],
        writes: Sequence[Collection[int]],
    ) -> None:
        self._program = program
        self._every = (1 << len(packing.packs)) - 1
        shared = (name for name, cell in program.cells.items() if cell.template is None)
        self._shared = _bits({packing.pack_of[name] for name in shared if name in packing.pack_of})
        calls = returns(program)
        modified = [_bits(found) for found in defines]
        asked = (
            self._asked(modified, [_bits(found) & self._every for found in writes]) if calls else [0] * len(modified)
        )
        self._defined = [found & ~only for found, only in zip(modified, asked, strict=True)]
        self._kills = [
            _bits(pack for pack, is_killed in found.items() if is_killed) & ~only
            for found, only in zip(defines, asked, strict=True)
        ]
        self._reachable = 1 << len(packing.packs)
        self.call_of = {call.back: call.call for call in calls}
        self.levels: Mapping[int, Level] = levels(program) if calls else {}
        written = {body: _union(self._defined[number] for number in body) for body in {call.body for call in calls}}
        self._written = {call.back: written[call.body] for call in calls}
        narrowed = {body: _union(asked[number] for number in body) for body in written}
        self._narrowed = {call.back: narrowed[call.body] for call in calls}
        self._backs = {entry: frozenset(chain(*level.made.values())) for entry, level in self.levels.items()}
        self._comes_back = frozenset(self.call_of).union(*self._backs.values())
        self._passing: dict[int, Mapping[int, int]] = {}
        """By entries, then locations, the packs that a thread may bring there unchanged from the entry."""
        for entry in self._called_first():
            self._pass(entry)
        self._apart = self._told_apart(packing, modified)

    def told_apart(self, pack: int) -> Collection[int]:
        """The commands that come back, behind which a pack's value is another one than commands alone tell."""
        return self._apart.get(pack, ())

    def is_definition(self, command: int, pack: int) -> bool:
        """Whether a command of a body defines a pack there, see above."""
        return bool(self._defined[command] >> pack & 1)

    def is_narrowed(self, pack: int, back: int) -> bool:
        """Whether guards of the body that a command comes back from may say something of a pack, see above."""
        return bool(self._narrowed.get(back, 0) >> pack & 1)

    def makers(self, pack: int, entry: int) -> list[int]:
        """The commands of a body that define a pack, and those that come back to it with other values."""
        level, backs = self.levels[entry], sorted(self._backs[entry])
        found = [number for number in (*level.commands, *backs) if self._defined[number] >> pack & 1]
        return found + [back for back in backs if self.tells(pack, entry, back)]

    def tells(self, pack: int, code: str | int, command: int) -> bool:
        """Whether a command comes back to some code with another value than the one that is seen where it starts."""
        if isinstance(code, str):
            return command in self._apart.get(pack, ())
        return self.is_from_call(code, command) and (command not in self.call_of or self.is_changed(pack, command))

    def is_from_call(self, code: str | int, command: int) -> bool:
        """Whether a command comes back from a call to a body of which that is the code."""
        return not isinstance(code, str) and command in self._backs[code]

    def comes_back(self, command: int) -> bool:
        """Whether a command comes back from a call, as far as calls are told apart."""
        return command in self._comes_back

    def is_known(self, back: int) -> bool:
        """Whether it is known what the body that a command comes back from defines by itself."""
        return back in self.call_of and self.entry(back) in self.levels

    def is_changed(self, pack: int, back: int) -> bool:
        """Whether a pack may be defined between a call that is told apart, and coming back by a command."""
        return bool(self._written[back] >> pack & 1)

    def is_passing(self, pack: int, back: int) -> bool:
        """Whether a pack may be left as it is between a call and coming back; that body is known."""
        return bool(self._through(back) >> pack & 1)

    def entry(self, back: int) -> int:
        """The entry of the body that a command comes back from, by a call that is told apart."""
        return self._program.commands[self.call_of[back]].target

    def _asked(self, modified: Sequence[int], written: Sequence[int]) -> list[int]:
        """For each command the packs that it only asks about, of those that no other thread than its own writes."""
        program = self._program
        writers: dict[int, set[str]] = defaultdict(set)
        for number, found in enumerate(written):
            for pack in bits(found):
                writers[pack].add(program.template_of[program.commands[number].source])
        several = many(program)
        own: dict[str, int] = {}
        for name in program.templates:
            foreign = _bits(pack for pack, found in writers.items() if name in several or found != {name})
            own[name] = self._every & ~(foreign & self._shared)
        return [
            own[program.template_of[command.source]] & changed & ~found
            for command, changed, found in zip(program.commands, modified, written, strict=True)
        ]

    def _called_first(self) -> Iterable[int]:
        """The entries of the bodies, those that others call before these."""
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(self.levels)
        for entry, level in self.levels.items():
            called = (self._program.commands[call].target for call in level.made)
            graph.add_edges_from((inner, entry) for inner in called if inner in self.levels)
        return list(nx.topological_sort(graph))

    def _pass(self, entry: int) -> None:
        """Finds what passes through a body, where that is known of those that it calls."""
        level, commands = self.levels[entry], self._program.commands
        inside = frozenset(level.commands)
        passing = self._passing[entry] = {entry: self._every}
        work = [entry]
        while work:
            location = work.pop()
            for index in self._program.outgoing[location]:
                if index not in inside:
                    continue
                brought = passing[location] & ~self._kills[index]
                for end in level.made.get(index, (index,)):
                    through = self._through(end) & ~self._kills[end] if end != index else self._every
                    target = commands[end].target
                    new = passing.get(target, 0) | brought & through
                    if passing.get(target) != new:
                        passing[target] = new
                        work.append(target)

    def _through(self, back: int) -> int:
        """The packs that may be left as they are by a body, as far as that is known."""
        if not self.is_known(back):
            return self._every
        source = self._program.commands[back].source
        return self._every & ~self._written[back] | self._passing[self.entry(back)].get(source, 0)

    def _told_apart(self, packing: Packing, modified: Sequence[int]) -> Mapping[int, Collection[int]]:
        program, pack_of = self._program, packing.pack_of
        places = sorted({program.commands[back].target for back in self.call_of})
        cells = live_cells(program, places) if places else {}
        live = {place: _bits({pack_of[cell] for cell in found if cell in pack_of}) for place, found in cells.items()}
        defined: dict[str, int] = defaultdict(int)
        for number, command in enumerate(program.commands):
            defined[program.template_of[command.source]] |= modified[number]
        found: dict[int, set[int]] = defaultdict(set)
        for back in sorted(self.call_of):
            place = program.commands[back].target
            told = self._through(back) if self.is_known(back) else self._every & ~self._written[back]
            told &= (live[place] | self._shared) & defined[program.template_of[place]]
            told = (told | self._reachable) & ~modified[back]
            for pack in bits(told):
                found[pack].add(back)
        return found


def _bits(numbers: Iterable[int]) -> int:
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


def _union(found: Iterable[int]) -> int:
    result = 0
    for some in found:
        result |= some
    return result
