"""Static single assignment: which definition of a thread's own cells each command sees.

Where ways meet that bring different definitions of a cell, a join stands for them. So what is known of a cell has one
place for each definition and join, instead of one for each location at which the cell lives.
*Source*: R. Cytron et al., "Efficiently computing static single assignment form and the control dependence graph",
1991, with joins only of several definitions, one of which some command sees. Here definitions are on edges: that of an
edge to where ways meet is joined there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from duet.flow.united import united
from duet.plip.graphs import control_graph, dominators
from duet.plip.returns import Return, kept
from duet.plip.syntax import Program, Template


@dataclass(frozen=True, slots=True)
class Join:
    """The definitions of a cell that meet at a location: each command that leads there, and the definition behind it.

    A definition is the number of a command, or `~n` for join number n; None where nothing is known of the cell.
    """

    location: int
    cell: int
    inputs: list[tuple[int, int | None]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Definitions:
    """The joins, and for each command the definitions of the cells that it uses, as they are where it starts."""

    joins: list[Join]
    seen: list[dict[int, int | None]]


def single_assignment(
    program: Program,
    uses: Sequence[Collection[int]],
    defined: Sequence[Collection[int]],
    live: Mapping[int, Collection[int]],
    calls: Collection[Return] = (),
) -> Definitions:
    """The definitions of cells, given by numbers, from what each command uses and defines of its own thread's cells.

    `live` are the cells that may be read later, at the entries of templates, wherever not exactly one command leads,
    and behind `calls`, where cells that the body does not define are seen as they were at the call.
    """
    found = Definitions([], [{} for _ in program.commands])
    seen_again = kept(program, calls, defined, live)
    returning = {call.call: call.back for call in calls}
    for template in program.templates.values():
        _Template(program, template, uses, defined, live, found, seen_again, returning).run()
    return _seen_only(found, {template.entry for template in program.templates.values()})


def _seen_only(found: Definitions, entries: Collection[int]) -> Definitions:
    """The joins of several definitions that some command sees, also by way of others; those of one are that one.

    Where threads begin there is what they are given as well. Behind calls of shared bodies hardly any join is left.
    """
    merged: dict[int | None, list[int | None]] = {
        ~number: [brought for _, brought in join.inputs]
        for number, join in enumerate(found.joins)
        if join.location not in entries
    }
    shown = united(merged)
    seen = [{cell: shown(of) for cell, of in cells.items()} for cells in found.seen]
    work = [of for cells in seen for of in cells.values()]
    inputs: dict[int, list[tuple[int, int | None]]] = {}
    while work:
        of = work.pop()
        if of is not None and of < 0 and of not in inputs:
            inputs[of] = [(command, shown(brought)) for command, brought in found.joins[~of].inputs]
            work += (brought for _, brought in inputs[of])
    left = {of: ~number for number, of in enumerate(sorted(inputs, reverse=True))}

    def named(of: int | None) -> int | None:
        return of if of is None else left.get(of, of)

    return Definitions(
        [replace(found.joins[~of], inputs=[(command, named(it)) for command, it in inputs[of]]) for of in left],
        [{cell: named(of) for cell, of in cells.items()} for cells in seen],
    )


class _Template:
    """The definitions in one template, added to those found so far."""

    def __init__(
        self,
        program: Program,
        template: Template,
        uses: Sequence[Collection[int]],
        defined: Sequence[Collection[int]],
        live: Mapping[int, Collection[int]],
        found: Definitions,
        kept: Mapping[int, frozenset[int]],
        returning: Mapping[int, int],
    ) -> None:
        self.program, self.uses, self.defined, self.live, self.found = program, uses, defined, live, found
        self.entry = template.entry
        graph = control_graph(program, template.commands)
        graph.add_node(self.entry)
        self.above = dominators(self.entry, graph.successors, graph.predecessors)
        self.kept = {back: it for back, it in kept.items() if program.commands[back].source in self.above}
        self.backs = {call: back for call, back in returning.items() if back in self.kept}
        """The command that comes back from what each one calls."""
        self.below: dict[int, list[int]] = defaultdict(list)
        for place, over in self.above.items():
            self.below[over].append(place)
        self.frontier: dict[int, set[int]] = defaultdict(set)
        for place, over in self.above.items():
            for runner in graph.predecessors(place):
                while runner != over and (runner == self.entry or runner in self.above):
                    self.frontier[runner].add(place)
                    if runner == self.entry:
                        break
                    runner = self.above[runner]
        self.joins: dict[int, dict[int, int]] = defaultdict(dict)

    def run(self) -> None:
        """Adds joins, then what commands see and joins unite."""
        for cell in sorted(self.live[self.entry]):
            self._join(self.entry, cell)
        for back, cells in self.kept.items():
            place = self.program.commands[back].target
            for cell in sorted(cells.difference(self.joins.get(place, ()))):
                self._join(place, cell)
        for cell, places in sorted(self._sites().items()):
            self._place(cell, places)
        self._rename()

    def _join(self, location: int, cell: int) -> None:
        self.joins[location][cell] = len(self.found.joins)
        self.found.joins.append(Join(location, cell))

    def _sites(self) -> Mapping[int, list[int]]:
        """The locations behind the definitions of each cell; those where ways meet have joins then."""
        sites: dict[int, list[int]] = defaultdict(list)
        for location in (self.entry, *self.above):
            for number in self.program.outgoing[location]:
                target = self.program.commands[number].target
                for cell in self.defined[number]:
                    sites[cell].append(target)
        for back, cells in self.kept.items():
            for cell in cells:
                sites[cell].append(self.program.commands[back].target)
        return sites

    def _place(self, cell: int, places: Sequence[int]) -> None:
        """Puts a join of a cell where definitions meet, of which joins are some, too."""
        for place in dict.fromkeys(places):
            if self._meets(place, cell):
                self._join(place, cell)
        work = [*dict.fromkeys(places)]
        seen = set(work)
        while work:
            for place in sorted(self.frontier.get(work.pop(), ())):
                if self._meets(place, cell):
                    self._join(place, cell)
                if place not in seen and cell in self.joins.get(place, ()):
                    seen.add(place)
                    work.append(place)

    def _meets(self, place: int, cell: int) -> bool:
        """Whether a join of a cell is missing at a location."""
        return place in self.live and cell in self.live[place] and cell not in self.joins.get(place, ())

    def _rename(self) -> None:
        """Goes down the tree of dominators, with the definitions that hold at each location."""
        current: dict[int, int] = {}
        stack: list[tuple[int, dict[int, int | None] | None]] = [(self.entry, None)]
        while stack:
            location, before = stack.pop()
            if before is not None:  # all below it is done
                _restore(current, before)
                continue
            new = {cell: ~number for cell, number in self.joins.get(location, {}).items()}
            arriving = self.program.incoming[location]
            if location not in self.live and len(arriving) == 1:
                new |= dict.fromkeys(self.defined[arriving[0]], arriving[0])
            stack.append((location, {cell: current.get(cell) for cell in new}))
            current |= new
            self._leave(location, current)
            stack += [(place, None) for place in self.below[location]]

    def _leave(self, location: int, current: Mapping[int, int]) -> None:
        """Notes what the commands from a location see, and what they bring to joins."""
        for number in self.program.outgoing[location]:
            self.found.seen[number] = {cell: current.get(cell) for cell in self.uses[number]}
            joined = self.joins.get(self.program.commands[number].target, {}).keys()
            self._bring(number, number, joined - self.kept.get(number, frozenset()), current)
            if (back := self.backs.get(number)) is not None:
                self._bring(number, back, self.kept[back], current)

    def _bring(self, number: int, last: int, cells: Iterable[int], current: Mapping[int, int]) -> None:
        """Notes what a command brings of some cells to joins where another one, the last on the way, leads."""
        joins = self.joins.get(self.program.commands[last].target, {})
        for cell in cells:
            brought = number if cell in self.defined[number] else current.get(cell)
            self.found.joins[joins[cell]].inputs.append((last, brought))


def _restore(current: dict[int, int], before: Mapping[int, int | None]) -> None:
    for cell, old in before.items():
        if old is None:
            current.pop(cell, None)
        else:
            current[cell] = old
