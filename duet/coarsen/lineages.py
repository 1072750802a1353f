"""What is known of a program's threads, and of the globals at their locations, under an invariant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import TypeAlias

import networkx as nx

from duet.absint.conditions import assume
from duet.absint.invariants import Invariants
from duet.absint.state import State, Value
from duet.absint.transfer import passes
from duet.coarsen.counting import Counting
from duet.flow.effects import REACHABLE
from duet.flow.table import NONE, Row
from duet.plip.graphs import control_graph, postorder, spawn_graph
from duet.plip.lifetimes import Lifetime, awaited, lifetimes
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.syntax import Program, Spawn

_View: TypeAlias = tuple[int | None, ...]  # the number of the value of each shared pack
_Pairs: TypeAlias = tuple[tuple[int | None, int | None], ...]


@dataclass(frozen=True, slots=True)
class _Written:
    """A shared pack, with its place, that excluded commands write.

    `known` is the number of what is left of it, by its slot at a location and what arrives there.
    """

    pack: int
    place: int
    slots: Row
    arriving: Row
    known: dict[tuple[int, int], int | None] = field(default_factory=dict)


class Lineages:
    """What is known of a program's threads and of the globals at their locations, under an invariant."""

    def __init__(self, program: Program, invariants: Invariants, counted: Counting | None = None) -> None:
        self.program = program
        self.invariants = invariants
        self._counted = counted
        self.inside = frozenset().union(*(template.atomic for template in program.templates.values()))
        # Equal values have the same number, and what is known of them in pairs is found out once.
        self._values: list[Value | None] = []
        self._number_of: dict[Value | None, int] = {}
        self._restricted: dict[tuple[int, frozenset[int]], int] = {}
        self._full: dict[int, _View] = {}
        self._of_slots: dict[int, int | None] = {}
        self._written_by: dict[frozenset[int], tuple[_Written, ...]] = {}
        self._before: dict[str, frozenset[str]] = {}
        self._running: dict[int, int] = {}
        self._numbers: dict[_View, int] = {}
        self._views: list[_View] = []
        self._met: dict[tuple[int, int], Value | None] = {}
        self._agreeing: dict[tuple[int, int], bool] = {}
        self._after_spawns: dict[tuple[str, str], frozenset[int]] = {}
        self._places: dict[int, list[int | None]] = {}
        self._states: dict[tuple[int, _Pairs], State | None] = {}

    @cached_property
    def ones(self) -> tuple[str, ...]:
        """The templates with one instance at most."""
        many = multiplicities(self.program)
        return tuple(name for name in self.program.templates if many[name] is Multiplicity.ONE)

    @cached_property
    def _lifetimes(self) -> Mapping[int, Lifetime]:
        return lifetimes(self.program)

    @cached_property
    def awaited(self) -> Mapping[int, frozenset[str]]:
        """The templates of which no thread runs when a command that joins has passed."""
        return awaited(self.program)

    @cached_property
    def spawns(self) -> nx.DiGraph[str]:
        """An edge from each template to those that it spawns."""
        return spawn_graph(self.program)

    def before(self, template: str) -> frozenset[str]:
        """The templates that can run although a template has never been spawned."""
        main = self.program.main
        if template == main:
            return frozenset()
        if template not in self._before:
            left = nx.restricted_view(self.spawns, [template], [])
            self._before[template] = frozenset((main, *nx.descendants(left, main)))
        return self._before[template]

    def after_spawns(self, template: str, descendant: str) -> frozenset[int]:
        """The locations of a template that can follow a spawn through which a descendant comes to run."""
        key = (template, descendant)
        if key not in self._after_spawns:
            found: set[int] = set()
            for index in self.program.templates[template].commands:
                command = self.program.commands[index]
                if isinstance(command.instruction, Spawn) and nx.has_path(
                    self.spawns, command.instruction.template, descendant
                ):
                    found.update((command.target, *nx.descendants(self.control, command.target)))
            self._after_spawns[key] = frozenset(found)
        return self._after_spawns[key]

    @cached_property
    def control(self) -> nx.DiGraph[int]:
        """The control flow graph of all templates."""
        return control_graph(self.program)

    def running(self, location: int) -> frozenset[str]:
        """The templates of which instances may run while some thread is at a location."""
        here = self.program.template_of[location]
        idle = self._lifetimes[location].idle if location in self._lifetimes else frozenset[str]()
        if here not in self.ones:
            return frozenset(self.program.templates) - idle
        before = self.before(here) | {here}
        return frozenset(
            name
            for name in self.program.templates.keys() - idle
            if name in before or location in self.after_spawns(here, name)
        )

    def beside(self, location: int) -> int:
        """The templates of `running`, as bits in the order of the program's templates."""
        if location not in self._running:
            running = self.running(location)
            self._running[location] = sum(1 << i for i, name in enumerate(self.program.templates) if name in running)
        return self._running[location]

    @cached_property
    def order(self) -> Mapping[int, int]:
        """The locations that control can get to, numbered: each before those that follow it, but for cycles."""
        main, templates = self.program.main, self.program.templates
        names = dict.fromkeys((main, *(name for _, name in nx.bfs_edges(self.spawns, main)), *templates))
        found = (postorder([templates[name].entry], self.control.__getitem__) for name in names)
        return {at: number for number, at in enumerate(at for nodes in found for at in reversed(nodes))}

    @cached_property
    def written(self) -> Sequence[Mapping[int, bool]]:
        """The packs that each command really writes, each with whether it overwrites all of one."""
        graph = self.invariants.graph
        return [graph.packs_written(command) for command in range(len(self.program.commands))]

    @cached_property
    def writers(self) -> Mapping[int, Sequence[int]]:
        """The commands that really write each pack."""
        return _by_pack(self.written)

    @cached_property
    def definers(self) -> Mapping[int, Sequence[int]]:
        """The commands that define each pack."""
        return _by_pack(self.invariants.graph.defines)

    @cached_property
    def guards(self) -> Sequence[bool]:
        """Whether each command may refuse to pass."""
        return [REACHABLE in effect.modifies for effect in self.invariants.graph.effects]

    @cached_property
    def guarded(self) -> frozenset[int]:
        """The packs that some command which may refuse to pass is about."""
        used = self.invariants.graph.used
        return frozenset(pack for command, packs in enumerate(used) if self.guards[command] for pack in packs)

    @cached_property
    def common(self) -> frozenset[int]:
        """The packs of globals that are not summaries: all threads see the same values."""
        cells = self.program.cells
        return frozenset(
            index
            for index, pack in enumerate(self.invariants.space.packing.packs)
            if all(cells[cell].template is None and not cells[cell].summary for cell in pack)
        )

    @cached_property
    def shared(self) -> Mapping[int, int]:
        """The common packs whose values are known at every location, with a place for each."""
        wanted, everywhere = self.invariants.graph.wanted, len(self.program.template_of)
        chosen = (pack for pack in sorted(self.common) if len(wanted[pack]) == everywhere)
        return {pack: place for place, pack in enumerate(chosen)}

    def view(self, location: int, excluded: frozenset[int]) -> int:
        """The number of what is known of the shared packs at a location when none of the excluded commands has run."""
        if location not in self._full:
            self._full[location] = tuple([self._slot_number(row[location]) for row in self._rows])
        view = self._full[location]
        if excluded:
            found = list(view)
            for written in self._written(excluded):
                key = written.slots[location], written.arriving[location]
                if key not in written.known:
                    written.known[key] = self._without(written.pack, location, excluded)
                found[written.place] = written.known[key]
            view = tuple(found)
        if view not in self._numbers:
            self._numbers[view] = len(self._views)
            self._views.append(view)
        return self._numbers[view]

    @cached_property
    def _rows(self) -> Sequence[Row]:
        """The slots of the shared packs by location."""
        return [self.invariants.solution.at.rows[pack] for pack in self.shared]

    def _slot_number(self, slot: int) -> int | None:
        """The number of the value in a slot, None for no slot."""
        if slot not in self._of_slots:
            self._of_slots[slot] = None if slot == NONE else self._number(self.invariants.solution.slots[slot])
        return self._of_slots[slot]

    def _number(self, value: Value | None) -> int:
        number = self._number_of.setdefault(value, len(self._values))
        if number == len(self._values):
            self._values.append(value)
        return number

    def _written(self, commands: frozenset[int]) -> Sequence[_Written]:
        """The shared packs that some of the commands write."""
        if commands not in self._written_by:
            packs = frozenset().union(*(self.written[command] for command in commands))
            at, inter = self.invariants.solution.at, self.invariants.graph.inter
            self._written_by[commands] = tuple(
                _Written(pack, place, at.rows[pack], inter.row(pack))
                for pack, place in self.shared.items()
                if pack in packs
            )
        return self._written_by[commands]

    def _without(self, pack: int, location: int, excluded: frozenset[int]) -> int | None:
        """The number of what is known of a pack when none of the excluded commands has run."""
        solution, graph = self.invariants.solution, self.invariants.graph
        slot = solution.at.get((pack, location))
        if slot is None:
            return None
        before = solution.slots[slot]
        arriving = graph.inter.get((pack, location), frozenset())
        if before is None or arriving.isdisjoint(excluded):
            return self._number(before)
        left = arriving - excluded
        if (slot, left) not in self._restricted:
            domain, own = self.invariants.space.domain, graph.own
            values = [solution.slots[own.at[pack, location]], *(solution.definition(c, pack) for c in sorted(left))]
            known = [value for value in values if value is not None]
            value = domain.meet(before, reduce(domain.join, known)) if known else None
            self._restricted[slot, left] = self._number(None if value is None or domain.is_bottom(value) else value)
        return self._restricted[slot, left]

    def agree(self, left: int, right: int) -> bool:
        """Whether two views may be of the same moment."""
        if (left, right) not in self._agreeing:
            values = zip(self._views[left], self._views[right], strict=True)
            self._agreeing[left, right] = self._agreeing[right, left] = all(
                a is None or b is None or self._meet(a, b) is not None for a, b in values
            )
        return self._agreeing[left, right]

    def state(self, command: int, view: int, other: int) -> State | None:
        """What is known of the packs that a command uses, in the views of its own thread and of another one.

        None where the command cannot pass.
        """
        if self.invariants.is_disabled(command):
            return None
        mine, theirs = self._views[view], self._views[other]
        used = self.invariants.graph.used[command]
        places = self._places.get(command)
        if places is None:
            places = self._places[command] = [self.shared.get(pack) for pack in used]
        pairs = tuple([(None, None) if place is None else (mine[place], theirs[place]) for place in places])
        if (command, pairs) not in self._states:
            self._states[command, pairs] = self._state(command, used, pairs)
        return self._states[command, pairs]

    def _state(self, command: int, used: tuple[int, ...], pairs: _Pairs) -> State | None:
        state: State = self.invariants.state(self.program.commands[command].source, used)
        for pack, (own, other) in zip(used, pairs, strict=True):
            if own is not None and other is not None:
                value = self._meet(own, other)
                if value is None:
                    return None
                state[pack] = value
        return state if self.passes(command, state) else None

    def counted(self, command: int, state: State, others: Sequence[int], absent: frozenset[str]) -> State | None:
        """The state before a command with what threads have added up to while another one is at one of some places.

        `absent` are templates of which no instance has been started. None where the command cannot pass.
        """
        if self._counted is None:
            return state
        source, packing = self.program.commands[command].source, self.invariants.space.packing
        terms = [it for it in self._counted.terms if any(packing.pack_of[cell] in state for cell, _ in it.terms)]
        if not terms or self.program.template_of[source] == self.program.template_of[others[0]]:
            return state
        found = assume(self.invariants.space, state, self._counted.beside(terms, source, others, absent))
        return found if found is not None and self.passes(command, found) else None

    def adds_up(self, here: Sequence[int], view: int, there: Sequence[int], other: int, absent: frozenset[str]) -> bool:
        """Whether what threads have added may add up while two are at one of some places each, with their views.

        The arguments are as in `counted`.
        """
        owner = self.program.template_of
        if self._counted is None or owner[here[0]] == owner[there[0]]:
            return True
        terms = self._counted.of_both(owner[here[0]], owner[there[0]])
        if not terms:
            return True
        packs = self.invariants.space.packs_of(cell for term in terms for cell, _ in term.terms)
        state: State = {}
        for pack in packs:
            place = self.shared.get(pack)
            left, right = (None, None) if place is None else (self._views[view][place], self._views[other][place])
            if left is not None and right is not None and (value := self._meet(left, right)) is not None:
                state[pack] = value
        known = {term: self.invariants.space.term_number(state, term) for term in terms}
        return any(self._counted.adds_up(known, location, there, absent) for location in here)

    def passes(self, command: int, state: State) -> bool:
        """Whether a command can pass in some of the states."""
        return passes(self.invariants.space, state, command)

    def _meet(self, left: int, right: int) -> Value | None:
        """The meet of two values of one pack, None for bottom."""
        key = (left, right)
        if key not in self._met:
            domain, first, second = self.invariants.space.domain, self._values[left], self._values[right]
            value = None if first is None or second is None else domain.meet(first, second)
            self._met[key] = None if value is None or domain.is_bottom(value) else value
        return self._met[key]


def _by_pack(found: Iterable[Mapping[int, bool]]) -> Mapping[int, Sequence[int]]:
    """The commands that have something to do with each pack, in order."""
    result: dict[int, list[int]] = defaultdict(list)
    for command, packs in enumerate(found):
        for pack in packs:
            result[pack].append(command)
    return result
