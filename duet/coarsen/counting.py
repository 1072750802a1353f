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
from functools import cached_property, partial, reduce

from domains.valued import ValuedDomain
from domains.values import arithmetic, number
from domains.values.number import ANY, ZERO, Number
from duet.absint.invariants import Invariants
from duet.absint.solve import Solver
from duet.absint.state import Space, Value
from duet.absint.thresholds import reached, thresholds
from duet.check.races import Together
from duet.coarsen.parts import Parts, Plain, told_apart
from duet.coarsen.relations import concerned
from duet.deadline import Deadline
from duet.flow.certain import Certain
from duet.flow.contributions import Bounds, Contributions, Wrap, with_contributions
from duet.flow.dfg import DataFlowGraph, sequential_dfg
from duet.flow.forward import Answer
from duet.flow.packs import Packing, counters, related, singletons, without_others
from duet.flow.questions import questions
from duet.flow.traced import Traced
from duet.interference.solve import Flows
from duet.interference.stable import Stability
from duet.plip.lifetimes import Lifetime, lifetimes
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.syntax import FALSE, And, Assign, Atom, Formula, Linear, Program, Relation, steps
from duet.plip.terms import add, atoms, constant, scale, substitute, term_cells, variable

MOST_TOLD = 4
"""Terms whose contributions tell threads apart."""
MOST_BALANCED = 8
"""Terms that are balanced by tokens."""
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
    is_asked: bool = False,
    is_sparse: bool = False,
    is_told_apart: bool = False,
) -> Counting | None:
    """What is known of sums of contributions; None if no global is only added to, or each of these may wrap.

    With `is_asked`, also None if `open_checks` depend on none of these, and on nothing that other threads write.

    With `is_told_apart`, threads are looked at in cases, by what they have added to what `open_checks` may depend on;
    None if that is nothing.

    *Requires*: `together` answers for the invariants, which hold in every execution, and `flows` are feasible under
    such; they are all that arrive where values are wanted. Packs get at most `limit` cells besides sums; if they are to
    be sparse, only those with contributions have several. Sums of globals are those that `open_checks` may depend on.
    *Raises*: OutOfTime.
    """
    graph, left_out, balanced = invariants.graph, frozenset[str](), tuple[Linear, ...]()
    tokens = _never_negative(invariants) if open_checks else frozenset()
    is_stable, known = Stability(flows, graph.effects).is_stable, partial(_bounds, invariants)
    while True:  # what is read of a global that may wrap says nothing of what has been added
        found = with_contributions(graph.program, is_stable, open_checks, tokens, left_out, balanced, known)
        if found is None or (is_asked and not _may_tell(invariants, flows, found, open_checks)):
            return None
        if is_told_apart:
            parts = _cases(invariants, found, domain, limit, deadline, open_checks)
        else:
            parts = Plain(_annotated(invariants, flows, found, domain, limit, deadline, is_sparse))
        if parts is None:
            return None
        result = Counting(invariants, together, found, parts, is_stable, tokens)
        more = () if balanced else tuple(_balanced(result, open_checks))
        if more:
            balanced = more
            continue
        wrapping = found.wraps.keys() - frozenset(result.cells)
        if not result.cells:  # nor will one be kept when less is known of what is added
            return None
        if wrapping <= left_out:
            return result
        left_out |= wrapping


def _balanced(counted: Counting, open_checks: Collection[int]) -> Iterator[Linear]:
    """Sums of what open checks are about with tokens, to which any number of threads adds nothing, or takes nothing.

    A token is what each thread of a template takes one of by its end, and only single threads give, as
    `duet.frontend.judgments.lives.Starting` says of all that are started: with as many of it as one thread adds at
    most, or at least, to what a check is about.
    """
    asked = frozenset(concerned(counted.program, frozenset(open_checks)))
    tokens = dict(counted.tokens())
    terms = [term for term in counted.ghosts if term_cells(term) <= asked.difference(tokens.values())]
    for term in sorted(terms, key=lambda it: -len(it.terms))[:MOST_BALANCED]:
        added = {name: counted.at_end(term, name) for name in counted.ghosts[term] if counted.is_many(name)}
        for ends in ({name: it.hi for name, it in added.items()}, {name: it.lo for name, it in added.items()}):
            known = {name: end for name, end in ends.items() if isinstance(end, int) and name in tokens}
            if len(known) == len(ends) and any(known.values()):
                yield reduce(lambda sum_, name: add(sum_, variable(tokens[name]), known[name]), known, term)


def _may_tell(base: Invariants, flows: Flows, found: Contributions, open_checks: Collection[int]) -> bool:
    """Whether open checks may depend on what is counted, or on what flows between threads that this may exclude."""
    asked = frozenset(concerned(base.graph.program, frozenset(open_checks)))
    arriving = {cell for pack, _ in flows.inter for cell in base.graph.packing.packs[pack]}
    return any(not asked.isdisjoint(term_cells(term)) for term in found.ghosts) or not asked.isdisjoint(arriving)


def _cases(
    base: Invariants,
    found: Contributions,
    domain: ValuedDomain[Value],
    limit: int,
    deadline: Deadline,
    open_checks: Collection[int],
) -> Parts | None:
    """Threads in cases, by what they have added to what open checks may depend on; None if that is nothing."""
    asked = frozenset(concerned(base.graph.program, frozenset(open_checks)))
    splits = [tuple(found.ghosts[term].values()) for term in found.ghosts if term_cells(term) <= asked][:MOST_TOLD]
    ghosts = frozenset(ghost for of_term in found.ghosts.values() for ghost in of_term.values())
    packs = _own_packs(found, ghosts, limit)
    return told_apart(found.program, base, packs, splits, domain, deadline) if splits else None


def _bounds(invariants: Invariants, location: int, term: Linear) -> Bounds:
    """The bounds of a term over a thread's own cells at a location, where the thread is there."""
    value = invariants.number(location, term)
    return value.lo, value.hi


def _never_negative(invariants: Invariants) -> frozenset[str]:
    """The globals that begin with no negative number, and that no command makes negative.

    What is known at locations would not do: a global may be negative where nobody reads it.
    """
    space, solution, cells = invariants.space, invariants.solution, invariants.graph.program.cells
    given: defaultdict[int, set[int]] = defaultdict(set)
    for (_, pack), slot in invariants.graph.own.defined.items():
        given[pack].add(slot)

    def is_so(cell: str) -> bool:
        pack, first = space.packing.pack_of[cell], cells[cell].lo
        values = (solution.slots[slot] for slot in given[pack])
        is_kept = all(value is None or space.number({pack: value}, cell).lo >= 0 for value in values)
        return first is not None and first >= 0 and is_kept

    return frozenset(filter(is_so, invariants.graph.program.globals))


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
    along a command that never passes. What is certain of globals counts only where these are wanted: nothing that other
    threads write arrives elsewhere.
    """
    graph, program = base.graph, found.program
    shared = [pack for pack in graph.packing.packs if graph.program.cells[pack[0]].template is None]
    ghosts = frozenset(ghost for of_term in found.ghosts.values() for ghost in of_term.values())
    packs = _own_packs(found, ghosts, limit)
    packs = without_others(packs, ghosts) if is_sparse else packs
    own = [pack for pack in packs.packs if program.cells[pack[0]].template is not None]
    packing = Packing((*shared, *own))
    observed = {packing.pack_of[cell] for cell in ghosts | added_together(program, ghosts)}
    inter = {
        (packing.pack_of[graph.packing.packs[pack][0]], location): commands
        for (pack, location), commands in flows.inter.items()
    }
    certain = {at: tuple(it for it in atoms if _is_wanted(graph, it, at)) for at, atoms in graph.certain.items()}
    ghostly = sequential_dfg(program, packing, observed, certain=certain, stopped=stopped(base))
    space = Space(program, packing, domain)
    limits = {**thresholds(program), **(reached(graph.program, base) if is_sparse else {})}
    return Invariants(Solver(space, limits, deadline=deadline).solve(ghostly.with_flows(inter)))


def _is_wanted(graph: DataFlowGraph, atom: Atom, location: int) -> bool:
    """Whether the values of all globals of an atom are wanted at a location, so that they arrive there."""
    shared = (cell for cell in term_cells(atom.term) if graph.program.cells[cell].template is None)
    return all(location in graph.wanted[graph.packing.pack_of[cell]] for cell in shared)


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


def added_together(program: Program, ghosts: Collection[str]) -> frozenset[str]:
    """The cells of which several are added to a ghost by one command, so that what relates them matters."""
    changes = (step for command in program.commands for step in steps(command.instruction) if isinstance(step, Assign))
    added = (term_cells(step.value) - {step.target} for step in changes if step.target in ghosts)
    found = (cell for cells in added if len(cells) > 1 for cell in cells)
    return frozenset(cell for cell in found if program.cells[cell].template is not None)


def _added_up(program: Program, ghosts: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Each ghost with the cell whose value is added to it, and with what this is copied from.

    Several cells whose difference is added meet what they are copied from without the ghost: they leave it no room.
    """
    assigned = [it for command in program.commands for it in steps(command.instruction) if isinstance(it, Assign)]
    copied: dict[str, list[str]] = defaultdict(list)
    for step in assigned:
        if len(step.value.terms) == 1 and step.target not in ghosts:
            copied[step.target].append(step.value.terms[0][0])
    for step in assigned:
        if step.target in ghosts:
            template = program.cells[step.target].template
            work = sorted(term_cells(step.value) - {step.target})
            cells = dict.fromkeys(work)
            while work:
                more = [it for it in copied[work.pop()] if it not in cells and program.cells[it].template == template]
                cells.update(dict.fromkeys(more))
                work += more
            own = tuple(it for it in cells if program.cells[it].template == template)
            yield own if len(term_cells(step.value)) > 2 else (step.target, *own)


class Counting:
    """Sums of contributions under the invariants of a graph and those of ghosts."""

    def __init__(
        self,
        base: Invariants,
        together: Together,
        found: Contributions,
        parts: Parts,
        is_stable: Answer,
        never_negative: Collection[str] = (),
    ) -> None:
        self._is_stable = is_stable
        self._base = base
        self._signs = found.signs
        self.never_negative = frozenset(never_negative).union(it for it, sign in found.signs.items() if sign > 0)
        self._graph = base.graph
        self.program = base.graph.program
        self._together = together
        self.ghosts = found.ghosts
        self._read = {cell: it for cell, it in found.read.items() if term_cells(it) <= {*self.program.globals}}
        self.parts = parts
        """What is known of ghosts."""
        self._many = multiplicities(self.program)
        self._lifetimes = lifetimes(self.program)
        self._places_of: dict[str, tuple[tuple[Hashable, int], ...]] = {}
        self._others: dict[tuple[str, int, int | None], Number] = {}
        self._sorts: dict[tuple[Hashable, Lifetime], int] = {}
        self._sort_of: dict[int, int] = {}
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

    def at_end(self, term: Linear, name: str) -> Number:
        """What a thread of a template that changes a term has added to it at its end."""
        end = self.program.templates[name].exit
        return ZERO if self._is_dead(end) else self._added(self.ghosts[term][name], end)

    def tokens(self) -> Iterator[tuple[str, str]]:
        """Templates with many threads, each with a global of which only these take, one each, and single ones give."""
        for term in self.ghosts:
            many = [name for name in self.ghosts[term] if self.is_many(name)]
            if len(term.terms) == len(many) == 1 and (found := self.at_end(term, many[0])).lo == found.hi == -1:
                yield many[0], term.terms[0][0]

    def bounds(self) -> Certain:
        """Bounds of the terms at locations where their values are wanted, if they say more than is known there."""
        result: dict[int, tuple[Atom, ...]] = {}
        wanted, pack_of = self._graph.wanted, self._graph.packing.pack_of
        for term in self.terms:
            for location in sorted(frozenset().union(*(wanted[pack_of[cell]] for cell, _ in term.terms))):
                if not self._is_dead(location) and (told := self._telling(term, location)):
                    result[location] = (*result.get(location, ()), *told)
        for index in range(len(self.program.commands)):
            for location, asked in questions(self.program, index):
                if self._is_dead(location):
                    continue
                own = tuple(
                    it
                    for atom in atoms(asked)
                    for it in (*self._beside_own(atom, location), *self._traced_back(atom, location))
                )
                if own:
                    result[location] = tuple(dict.fromkeys((*result.get(location, ()), *own)))
        return result

    def _beside_own(self, asked: Atom, location: int) -> Iterator[Atom]:
        """Bounds of a term with what a check compares it with, or of a term that bounds a cell of the thread itself.

        What the thread has added, to which its own cells may be related, stands for the term; others added the rest.
        """
        name = self.program.template_of[location]
        whole = substitute(asked.term, self._read)
        own = Linear(tuple((it, k) for it, k in whole.terms if self.program.cells[it].template is not None))
        total = add(add(whole, own, -1), constant(-whole.constant))
        for term in self.terms if own.terms else ():
            ghost = self.ghosts[term].get(name)
            if ghost is None:
                continue
            any_sign = (1, -1) if not total.terms and len(own.terms) == 1 else ()
            several = [it for it in (1, -1) if total.terms and self._has_part(term, scale(total, it))]
            for sign in several or any_sign:
                value = self.parts.number(location, add(own, variable(ghost), sign))
                rest = arithmetic.scale(self._sum(term, location, is_of_others=True), sign)
                part = scale(term, sign) if sign in any_sign else total
                more = self._known(add(part, term, -sign), location)
                yield from _between(add(own, part), reduce(arithmetic.add, (value, rest, more)))
            if any_sign:
                yield from _between(own, self.parts.number(location, own))
                yield from _between(term, self._sum(term, location))

    def _traced_back(self, asked: Atom, location: int) -> Iterator[Atom]:
        """Bounds of what a check asks for, where that certainly is a term over globals that is a part of a sum."""
        whole = self._traced.over_globals(location, asked.term)
        if whole is None or term_cells(whole) == term_cells(asked.term):
            return
        part = add(whole, constant(-whole.constant))
        for term, sign in ((term, sign) for term in self.terms for sign in (1, -1)):
            if part.terms and self._has_part(term, scale(part, sign)):
                total = arithmetic.scale(self._sum(term, location), sign)
                rest = self._known(add(part, term, -sign), location)
                yield from _between(add(asked.term, constant(-whole.constant)), arithmetic.add(total, rest))

    @cached_property
    def _traced(self) -> Traced:
        """What threads have put together, where wraps certainly change nothing."""
        return Traced(self.program, self._is_stable, lambda *wrap: self.is_kept(Wrap(*wrap), self.cells))

    def _within(self, cell: str, terms: Iterable[Linear], location: int) -> Iterator[Atom]:
        """Bounds of a global by those of sums that it is in once, and what is known of the rest of these."""
        for term in terms:
            rest = add(term, variable(cell), -1)
            if rest.terms and cell not in term_cells(rest) and not self.never_negative.isdisjoint(term_cells(rest)):
                others = arithmetic.scale(self._known(rest, location), -1)
                yield from _between(variable(cell), arithmetic.add(self._sum(term, location), others))

    @staticmethod
    def _has_part(term: Linear, part: Linear) -> bool:
        """Whether a term is another one, perhaps with other cells besides."""
        return not term_cells(part) & term_cells(add(term, part, -1))

    def _known(self, term: Linear, location: int) -> Number:
        """What is known of a term of globals beside all that is counted."""
        space = self._base.space
        known = space.term_number(self._base.state(location, space.packs_of(term_cells(term))), term)
        signs = [k if cell in self.never_negative else 0 for cell, k in term.terms]
        for sign in [it for it in (1, -1) if signs and all(k * it > 0 for k in signs)]:
            never = number.of_bounds(0, math.inf) if sign > 0 else number.of_bounds(-math.inf, 0)
            known = number.meet(known, never or ANY) or known
        return known

    def beside(self, terms: Iterable[Linear], location: int, places: Sequence[int], absent: Collection[str]) -> Formula:
        """Bounds of terms while a thread is at a location and another one at one of some places of its template.

        `absent` are templates of which no instance has been started. False where the parts say that no thread is there.
        """
        there = self._alive(places)
        if self._is_dead(location) or (places and not there):
            return FALSE
        return And(tuple(a for term in terms for a in _between(term, self._sum(term, location, there, absent))))

    def _alive(self, places: Sequence[int]) -> Sequence[int]:
        """The places where a thread may be, as far as the parts know: the invariants that ask may know less."""
        return [place for place in places if not self._is_dead(place)]

    def of_both(self, one: str, other: str) -> Sequence[Linear]:
        """The sums of several globals that threads of two templates add to."""
        return [term for term in self.terms if len(term.terms) > 1 and {one, other} <= self.ghosts[term].keys()]

    def adds_up(
        self, known: Mapping[Linear, Number], location: int, places: Sequence[int], absent: Collection[str]
    ) -> bool:
        """Whether terms may be what is known of them; the other arguments are those of `beside`."""
        there = self._alive(places)
        if self._is_dead(location) or (places and not there):
            return False
        sums = ((value, self._sum(term, location, there, absent)) for term, value in known.items())
        return all(value.lo <= total.hi and total.lo <= value.hi for value, total in sums)

    def is_kept(self, wrap: Wrap, cells: Collection[str]) -> bool:
        """Whether a wrap leaves its argument as it is, if those of some globals have done so before."""
        location = self.program.commands[wrap.command].source
        if self._is_dead(location):
            return True
        asked = term_cells(wrap.term)
        terms = [term for term in self._of(cells) if not asked.isdisjoint(term_cells(term))]
        told = tuple(atom for term in terms for atom in _between(term, self._sum(term, location)))
        told += tuple(atom for cell in asked for atom in self._within(cell, terms, location))
        value = self.parts.kept(wrap.command, wrap.term, And(told))
        return value is None or (wrap.lo <= value.lo and value.hi <= wrap.hi)

    def _is_dead(self, location: int) -> bool:
        return self._base.is_bottom(location) or self.parts.is_bottom(location)

    def _telling(self, term: Linear, location: int) -> tuple[Atom, ...]:
        """The bounds of a term at a location, none if as much is known of it."""
        space, value = self._base.space, self._sum(term, location)
        known = space.term_number(self._base.state(location, space.packs_of(term_cells(term))), term)
        return () if number.leq(known, value) else _between(term, value)

    def _sum(
        self,
        term: Linear,
        location: int,
        places: Sequence[int] = (),
        absent: Collection[str] = frozenset(),
        is_of_others: bool = False,
    ) -> Number:
        """What all threads have added to a term, or all others; the rest of the arguments are those of `beside`."""
        main = self.program.main
        if places or main in absent or self.program.template_of[location] == main:
            total = self._total(term, location, places, absent, is_of_others=is_of_others)
        else:
            moments = self._moments(self.ghosts[term][main], location)
            totals = [self._total(term, location, (), absent, moment, is_of_others) for moment in moments or (None,)]
            total = reduce(number.join, totals)
        return total if is_of_others else self._on_its_side(term, total)

    def _on_its_side(self, term: Linear, total: Number) -> Number:
        """What is known of a term, with the sign of a global."""
        sign = next((self._signs.get(cell, 0) for cell, k in term.terms if term == variable(cell)), 0)
        side = number.of_bounds(0 if sign > 0 else -math.inf, 0 if sign < 0 else math.inf) if sign else ANY
        return number.meet(total, side or ANY) or total

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
        is_of_others: bool = False,
    ) -> Number:
        """As `_sum`, while the first thread is at `moment` if that is given."""
        here, there = ({self.program.template_of[at] for at in found} for found in ((location,), places[:1]))
        total = ZERO
        for name, ghost in self.ghosts[term].items():
            if name in absent:
                continue
            if name in here and not is_of_others:
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
        key = (ghost, self._sort(location), None if moment is None else self._sort(moment))
        if key not in self._others:
            self._others[key] = self._found_of_others(name, ghost, location, moment)
        return self._others[key]

    def _sort(self, location: int) -> int:
        """The number of all that the answers about other threads depend on while a thread is at a location."""
        if location not in self._sort_of:
            found = self._together.kind(location), self._lifetimes.get(location, Lifetime())
            self._sort_of[location] = self._sorts.setdefault(found, len(self._sorts))
        return self._sort_of[location]

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
        return self.parts.number(location, variable(ghost))

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
