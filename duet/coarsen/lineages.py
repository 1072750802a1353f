"""What is known of a program's threads, and of the globals at their locations, under an invariant."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, reduce
from typing import TypeAlias

import networkx as nx

from duet.absint.invariants import Invariants
from duet.absint.state import State, Value
from duet.absint.transfer import post
from duet.flow.effects import REACHABLE
from duet.plip.graphs import control_graph, spawn_graph
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.syntax import Program, Spawn

_Slots: TypeAlias = tuple[tuple[int | None, int | None], ...]


class Lineages:
    """What is known of a program's threads and of the globals at their locations, under an invariant."""

    def __init__(self, program: Program, invariants: Invariants) -> None:
        self.program = program
        self.invariants = invariants
        self.inside = frozenset().union(*(template.atomic for template in program.templates.values()))
        self._slots: list[Value | None] = list(invariants.solution.slots)
        self._restricted: dict[tuple[int, frozenset[int]], int] = {}
        self._numbers: dict[tuple[int | None, ...], int] = {}
        self._views: list[tuple[int | None, ...]] = []
        self._met: dict[tuple[int, int], Value | None] = {}
        self._agreeing: dict[tuple[int, int], bool] = {}
        self._after_spawns: dict[tuple[str, str], frozenset[int]] = {}
        self._states: dict[tuple[int, _Slots], State | None] = {}

    @cached_property
    def ones(self) -> tuple[str, ...]:
        """The templates with one instance at most."""
        many = multiplicities(self.program)
        return tuple(name for name in self.program.templates if many[name] is Multiplicity.ONE)

    @cached_property
    def spawns(self) -> nx.DiGraph[str]:
        """An edge from each template to those that it spawns."""
        return spawn_graph(self.program)

    def before(self, template: str) -> frozenset[str]:
        """The templates that can run although a template has never been spawned."""
        main = self.program.main
        if template == main:
            return frozenset()
        return frozenset((main, *nx.descendants(nx.restricted_view(self.spawns, [template], []), main)))

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
        if here not in self.ones:
            return frozenset(self.program.templates)
        before = self.before(here) | {here}
        return frozenset(
            name for name in self.program.templates if name in before or location in self.after_spawns(here, name)
        )

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
        slots = tuple([self._slot(pack, location, excluded) for pack in self.shared])
        if slots not in self._numbers:
            self._numbers[slots] = len(self._views)
            self._views.append(slots)
        return self._numbers[slots]

    def _slot(self, pack: int, location: int, excluded: frozenset[int]) -> int | None:
        solution, graph = self.invariants.solution, self.invariants.graph
        slot = solution.at.get((pack, location))
        arriving = graph.inter.get((pack, location), frozenset())
        if slot is None or not excluded or arriving.isdisjoint(excluded):
            return slot
        left = arriving - excluded
        if (slot, left) not in self._restricted:
            domain, own = self.invariants.space.domain, graph.own
            values = [solution.slots[own.at[pack, location]], *(solution.definition(c, pack) for c in sorted(left))]
            known = [value for value in values if value is not None]
            joined = reduce(domain.join, known) if known else None
            before = self._slots[slot]
            value = None if before is None or joined is None else domain.meet(before, joined)
            self._restricted[slot, left] = len(self._slots)
            self._slots.append(None if value is None or domain.is_bottom(value) else value)
        return self._restricted[slot, left]

    def agree(self, left: int, right: int) -> bool:
        """Whether two views may be of the same moment."""
        if (left, right) not in self._agreeing:
            slots = zip(self._views[left], self._views[right], strict=True)
            self._agreeing[left, right] = self._agreeing[right, left] = all(
                a is None or b is None or self._meet(a, b) is not None for a, b in slots
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
        places = [self.shared.get(pack) for pack in used]
        slots = tuple([(None, None) if place is None else (mine[place], theirs[place]) for place in places])
        if (command, slots) not in self._states:
            self._states[command, slots] = self._state(command, used, slots)
        return self._states[command, slots]

    def _state(self, command: int, used: tuple[int, ...], slots: _Slots) -> State | None:
        state: State = self.invariants.state(self.program.commands[command].source, used)
        for pack, (own, other) in zip(used, slots, strict=True):
            if own is not None and other is not None:
                value = self._meet(own, other)
                if value is None:
                    return None
                state[pack] = value
        return state if self.passes(command, state) else None

    def passes(self, command: int, state: State) -> bool:
        """Whether a command can pass in some of the states."""
        return post(self.invariants.space, state, self.program.commands[command].instruction) is not None

    def is_guard(self, command: int) -> bool:
        """Whether a command may refuse to pass."""
        return REACHABLE in self.invariants.graph.effects[command].modifies

    def _meet(self, left: int, right: int) -> Value | None:
        """The meet of two slots of one pack, None for bottom."""
        key = (left, right)
        if key not in self._met:
            domain, first, second = self.invariants.space.domain, self._slots[left], self._slots[right]
            value = None if first is None or second is None else domain.meet(first, second)
            self._met[key] = None if value is None or domain.is_bottom(value) else value
        return self._met[key]
