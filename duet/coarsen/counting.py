"""Bounds of what threads count together: a global is what the first thread found and what each thread has added to it.

So is a sum of globals, and it may be bounded where they are not: of what one semaphore loses and another one gains.

*Source*: `duet.flow.contributions`. A thread's contribution is a local cell, so that its invariants need no
interference. A bound of the global at a location is the sum of the reader's own contribution there and of those of all
others where they can be at the same time: of a thread that runs once and has been joined at its exit, of one that may
not have been started none, and of any number of instances only the sign is known. The rest of the analysis follows only
two threads at a time, so it cannot find such bounds itself. Where it follows two, what they have added by then is a
part of the sum (`Counting.beside`): a thread that reads the total of all contributions knows that each has been made.

Why wrapping of atomic arithmetic may be left out: take the first step of an execution in which it changes a value.
Before that step the global still is the sum, so the bounds hold, and these show that the value is in range.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import reduce

from domains.valued import ValuedDomain
from domains.values import arithmetic, number
from domains.values.number import ANY, ZERO, Number
from duet.absint.conditions import assume
from duet.absint.invariants import Invariants
from duet.absint.solve import Solver
from duet.absint.state import Space, Value
from duet.absint.thresholds import thresholds
from duet.check.races import Together
from duet.deadline import Deadline
from duet.flow.certain import Certain
from duet.flow.contributions import Contributions, Wrap, with_contributions
from duet.flow.dfg import sequential_dfg
from duet.flow.packs import Packing, counters, related, singletons, without_others
from duet.flow.table import NONE
from duet.interference.solve import Flows
from duet.interference.stable import Stability
from duet.plip.lifetimes import Lifetime, lifetimes
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.syntax import And, Assign, Atom, Formula, Linear, Program, Relation, steps
from duet.plip.terms import add, constant, term_cells

MOMENTS = 40
"""Locations of the first thread that are told apart."""


def counting(
    invariants: Invariants,
    flows: Flows,
    together: Together,
    domain: ValuedDomain[Value],
    limit: int,
    deadline: Deadline,
    open_checks: Collection[int] = (),
    is_sparse: bool = False,
) -> Counting | None:
    """What is known of sums of contributions; None if no global is only added to.

    *Requires*: `together` answers for the invariants, which hold in every execution, and `flows` are feasible under
    such; they are all that arrive where values are wanted. Packs get at most `limit` cells besides sums; if they are to
    be sparse, only those with contributions have several. Sums of globals are those that `open_checks` may depend on.
    *Raises*: OutOfTime.
    """
    graph = invariants.graph
    tokens = _never_negative(invariants) if open_checks else frozenset()
    found = with_contributions(graph.program, Stability(flows, graph.effects).is_stable, open_checks, tokens)
    if found is None:
        return None
    annotated = _annotated(invariants, flows, found, domain, limit, deadline, is_sparse)
    return Counting(invariants, together, found, annotated)


def _never_negative(invariants: Invariants) -> frozenset[str]:
    """The globals that are nowhere known to be able to be negative."""
    return frozenset(cell for cell in invariants.graph.program.globals if _is_never_negative(invariants, cell))


def _is_never_negative(invariants: Invariants, cell: str) -> bool:
    """Whether a global is not negative anywhere, as one value shows for all locations that have it."""
    space, solution = invariants.space, invariants.solution
    pack = space.packing.pack_of[cell]
    row = solution.at.rows[pack]
    known: dict[int, bool] = {NONE: False}
    for location in invariants.graph.wanted[pack]:
        slot = row[location]
        if slot not in known:
            value = solution.slots[slot]
            known[slot] = value is not None and space.number({pack: value}, cell).lo >= 0
        if known[slot] or invariants.is_bottom(location):
            continue
        if space.number(invariants.state(location, (pack,)), cell).lo < 0:
            return False
    return True


def _annotated(
    base: Invariants,
    flows: Flows,
    found: Contributions,
    domain: ValuedDomain[Value],
    limit: int,
    deadline: Deadline,
    is_sparse: bool,
) -> Invariants:
    """What is known of contributions wherever their threads are.

    Ghosts read globals only where the program does, or where there is one thread, so no flow is missing; none goes
    along a command that never passes.
    """
    graph, program = base.graph, found.program
    shared = [pack for pack in graph.packing.packs if graph.program.cells[pack[0]].template is None]
    ghosts = frozenset(ghost for of_term in found.ghosts.values() for ghost in of_term.values())
    packs = _own_packs(found, ghosts, limit)
    packs = without_others(packs, ghosts) if is_sparse else packs
    own = [pack for pack in packs.packs if program.cells[pack[0]].template is not None]
    packing = Packing((*shared, *own))
    observed = {packing.pack_of[ghost] for ghost in ghosts}
    inter = {
        (packing.pack_of[graph.packing.packs[pack][0]], location): commands
        for (pack, location), commands in flows.inter.items()
    }
    ghostly = sequential_dfg(program, packing, observed, certain=graph.certain, stopped=stopped(base))
    space = Space(program, packing, domain)
    return Invariants(Solver(space, thresholds(program), deadline=deadline).solve(ghostly.with_flows(inter)))


def stopped(base: Invariants) -> frozenset[int]:
    """The commands that never pass."""
    return frozenset(index for index in range(len(base.graph.program.commands)) if base.is_disabled(index))


def _own_packs(found: Contributions, ghosts: frozenset[str], limit: int) -> Packing:
    """Packs in which ghosts meet first what is counted in the same loops and what is added, with room for sums."""
    if limit == 1:
        return singletons(found.program)
    loops = [cells for cells in counters(found.program) if not ghosts.isdisjoint(cells)]
    first = (*loops, *_added_up(found.program, ghosts))
    return related(found.program, limit + sum(len(term.terms) > 1 for term in found.ghosts), first=first)


def _added_up(program: Program, ghosts: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Each ghost with the cells whose values are added to it, and with what these are copied from."""
    assigned = [it for command in program.commands for it in steps(command.instruction) if isinstance(it, Assign)]
    copied: dict[str, list[str]] = defaultdict(list)
    for step in assigned:
        if len(step.value.terms) == 1 and step.target not in ghosts:
            copied[step.target].append(step.value.terms[0][0])
    for step in assigned:
        if step.target in ghosts:
            work = sorted(term_cells(step.value) - {step.target})
            cells = dict.fromkeys(work)
            while work:
                more = [cell for cell in copied[work.pop()] if cell not in cells]
                cells.update(dict.fromkeys(more))
                work += more
            template = program.cells[step.target].template
            yield (step.target, *(cell for cell in cells if program.cells[cell].template == template))


class Counting:
    """Sums of contributions under the invariants of a graph and those of ghosts."""

    def __init__(self, base: Invariants, together: Together, found: Contributions, ghostly: Invariants) -> None:
        self._base = base
        self._graph = base.graph
        self.program = base.graph.program
        self._together = together
        self.ghosts = found.ghosts
        self.ghostly = ghostly
        """What is known of ghosts."""
        self._many = multiplicities(self.program)
        self._lifetimes = lifetimes(self.program)
        self._places_of: dict[str, tuple[tuple[Hashable, int], ...]] = {}
        self._others: dict[tuple[str, int, int | None], Number] = {}
        self._moments_of: dict[str, tuple[int, ...]] = {}
        self._meeting: dict[tuple[Hashable, Hashable], bool] = {}
        self.cells = self._unwrapped(found.wraps)
        """The globals that are sums of contributions: wraps change nothing."""
        self.terms = self._of(self.cells)
        """These, and sums of them."""

    def _unwrapped(self, wraps: Mapping[str, Sequence[Wrap]]) -> tuple[str, ...]:
        """The globals whose wraps all change nothing, if none of these has done so before."""
        cells = tuple(wraps)
        while True:
            kept = tuple(cell for cell in cells if all(self.is_kept(wrap, cells) for wrap in wraps[cell]))
            if kept == cells:
                return kept
            cells = kept

    def _of(self, cells: Collection[str]) -> tuple[Linear, ...]:
        """The terms over some globals that have ghosts."""
        return tuple(term for term in self.ghosts if term_cells(term) <= set(cells))

    def bounds(self) -> Certain:
        """Bounds of the terms at locations where their values are wanted, if they say more than is known there."""
        result: dict[int, tuple[Atom, ...]] = {}
        wanted, pack_of = self._graph.wanted, self._graph.packing.pack_of
        for term in self.terms:
            for location in sorted(frozenset().union(*(wanted[pack_of[cell]] for cell, _ in term.terms))):
                if not self._is_dead(location) and (told := self._telling(term, location)):
                    result[location] = (*result.get(location, ()), *told)
        return result

    def beside(self, terms: Iterable[Linear], location: int, places: Sequence[int], absent: Collection[str]) -> Formula:
        """Bounds of terms while a thread is at a location and another one at one of some places of its template.

        `absent` are templates of which no instance has been started.
        """
        return And(tuple(a for term in terms for a in _between(term, self._sum(term, location, places, absent))))

    def of_both(self, one: str, other: str) -> Sequence[Linear]:
        """The sums of several globals that threads of two templates add to."""
        return [term for term in self.terms if len(term.terms) > 1 and {one, other} <= self.ghosts[term].keys()]

    def adds_up(
        self, known: Mapping[Linear, Number], location: int, places: Sequence[int], absent: Collection[str]
    ) -> bool:
        """Whether terms may be what is known of them; the other arguments are those of `beside`."""
        sums = ((value, self._sum(term, location, places, absent)) for term, value in known.items())
        return all(value.lo <= total.hi and total.lo <= value.hi for value, total in sums)

    def is_kept(self, wrap: Wrap, cells: Collection[str]) -> bool:
        """Whether a wrap leaves its argument as it is, if those of some globals have done so before."""
        location = self.program.commands[wrap.command].source
        if self._is_dead(location):
            return True
        space = self.ghostly.space
        asked = term_cells(wrap.term)
        terms = [term for term in self._of(cells) if not asked.isdisjoint(term_cells(term))]
        packs = space.packs_of(asked.union(*map(term_cells, terms)))
        told = tuple(atom for term in terms for atom in _between(term, self._sum(term, location)))
        state = assume(space, self.ghostly.state(location, packs), And(told))
        if state is None:
            return True
        lo, hi = space.term_bounds(state, wrap.term)
        return wrap.lo <= lo and hi <= wrap.hi

    def _is_dead(self, location: int) -> bool:
        return self._base.is_bottom(location) or self.ghostly.is_bottom(location)

    def _telling(self, term: Linear, location: int) -> tuple[Atom, ...]:
        """The bounds of a term at a location, none if as much is known of it."""
        space, value = self._base.space, self._sum(term, location)
        known = space.term_number(self._base.state(location, space.packs_of(term_cells(term))), term)
        return () if number.leq(known, value) else _between(term, value)

    def _sum(
        self, term: Linear, location: int, places: Sequence[int] = (), absent: Collection[str] = frozenset()
    ) -> Number:
        """What all threads have added to a term: the arguments are those of `beside`."""
        main = self.program.main
        if places or main in absent or self.program.template_of[location] == main:
            return self._total(term, location, places, absent)
        moments = self._moments(self.ghosts[term][main], location)
        totals = [self._total(term, location, (), absent, moment) for moment in moments]
        return reduce(number.join, totals) if totals else self._total(term, location, (), absent)

    def _moments(self, ghost: str, location: int) -> Sequence[int]:
        """Locations where the first thread may be while another one is at a location; none where they are too many."""
        if ghost not in self._moments_of:
            found: dict[Hashable, int] = {}
            for place, name in self.program.template_of.items():
                if name == self.program.main and not self._is_dead(place):
                    past = self._lifetimes.get(place, Lifetime())
                    key = self._together.kind(place), self._added(ghost, place), past.begun, past.ended
                    found.setdefault(key, place)
            self._moments_of[ghost] = tuple(found.values())
        every = self._moments_of[ghost]
        if len(every) > MOMENTS:
            return ()
        return [place for place in every if self.meets(location, self._together.kind(place), place)]

    def _total(
        self,
        term: Linear,
        location: int,
        places: Sequence[int],
        absent: Collection[str],
        moment: int | None = None,
    ) -> Number:
        """As `_sum`, while the first thread is at `moment` if that is given."""
        here, there = ({self.program.template_of[at] for at in found} for found in ((location,), places[:1]))
        total = ZERO
        for name, ghost in self.ghosts[term].items():
            if name in absent:
                continue
            if name in here:
                total = arithmetic.add(total, self._added(ghost, location))
            if name in there:
                total = arithmetic.add(total, reduce(number.join, (self._added(ghost, at) for at in places)))
            if moment is not None and name == self.program.main:
                total = arithmetic.add(total, self._added(ghost, moment))
            elif name not in here | there or self.is_many(name):
                total = arithmetic.add(total, self.by_others(name, ghost, location, moment))
        return total

    def by_others(self, name: str, ghost: str, location: int, moment: int | None = None) -> Number:
        """What other instances of a template have added while a thread is at a location, and the first at `moment`."""
        key = (ghost, location, moment)
        if key not in self._others:
            self._others[key] = self._found_of_others(name, ghost, location, moment)
        return self._others[key]

    def _found_of_others(self, name: str, ghost: str, location: int, moment: int | None) -> Number:
        pasts = [self._lifetimes.get(at, Lifetime()) for at in (location, moment) if at is not None]
        past = reduce(Lifetime.__or__, pasts)
        if name in past.ended:
            places = [self.program.templates[name].exit]
        else:
            places = [
                place
                for kind, place in self._places(name, ghost)
                if self.meets(location, kind, place) and (moment is None or self.meets(moment, kind, place))
            ]
        found = [self._added(ghost, place) for place in places if not self._is_dead(place)]
        if self.is_many(name) or name not in past.begun or not found:
            found.append(ZERO)
        total = reduce(number.join, found)
        return any_number_of(total) if self.is_many(name) else total

    def is_many(self, name: str) -> bool:
        return self._many[name] is Multiplicity.MANY

    def _added(self, ghost: str, location: int) -> Number:
        """What a thread at a location has added."""
        space = self.ghostly.space
        return space.number(self.ghostly.state(location, space.packs_of((ghost,))), ghost)

    def _places(self, name: str, ghost: str) -> tuple[tuple[Hashable, int], ...]:
        """Locations of a template with what the answers about them depend on, one for all with the same value."""
        if ghost not in self._places_of:
            owner = self.program.template_of
            found = {
                (self._together.kind(place), self._added(ghost, place)): place
                for place in owner
                if owner[place] == name and not self._is_dead(place)
            }
            self._places_of[ghost] = tuple((kind, place) for (kind, _), place in found.items())
        return self._places_of[ghost]

    def meets(self, location: int, kind: Hashable, place: int) -> bool:
        """Whether threads can be at a location and at a place at one time."""
        key = (self._together.kind(location), kind)
        if key not in self._meeting:
            self._meeting[key] = self._together(location, place)
        return self._meeting[key]


def any_number_of(one: Number) -> Number:
    """What any number of threads have added if each has added `one`."""
    return number.of_bounds(0 if one.lo >= 0 else -math.inf, 0 if one.hi <= 0 else math.inf) or ANY


def _between(term: Linear, value: Number) -> tuple[Atom, ...]:
    """The bounds of a term, as atoms."""
    found: list[Atom] = []
    if isinstance(value.lo, int):
        found.append(Atom(add(constant(value.lo), term, -1), Relation.LE))
    if isinstance(value.hi, int):
        found.append(Atom(add(term, constant(-value.hi)), Relation.LE))
    return tuple(found)
