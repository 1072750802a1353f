"""The analysis of a program: one configuration after the other, as long as something is left to prove."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import assert_never

from duet.absint.state import Space
from duet.clock import Clock
from duet.coarsen.configurations import CHOICES, REFINEMENT_SHARE, Configuration, Packs
from duet.coarsen.counting import Counting, counting, stopped
from duet.coarsen.joint import Ground, joined
from duet.coarsen.loop import begun_at, coarsen
from duet.coarsen.relations import certain_equalities, exposed, relational
from duet.coarsen.resources import Resources, choose_domain, choose_engine
from duet.coarsen.results import Analysis, Fixpoint
from duet.coarsen.rounds import refined, taken_up
from duet.coarsen.telling import is_telling
from duet.deadline import Deadline, OutOfTime, Steps
from duet.errors import InternalError
from duet.flow.certain import NOTHING, Certain, both
from duet.flow.guards import over_globals
from duet.flow.packs import Packing, related, singletons
from duet.options import AnalysisOptions
from duet.plip.syntax import Program

LEAST_STEPS = 1_300_000
"""Steps that every configuration may take: some ten seconds, more than any bundled program needs to prove something."""
TIMES = 8
"""How many times the steps of the first configuration each of the others may take if that is more."""
LARGE = 600
"""Commands of a program in which the others do without what has hardly ever proved something in so large a one."""
ANEW = 250_000
"""Steps of the first configuration up to which the others begin without any flows between threads, as it did."""
FRUITLESS_SHARE, FRUITLESS_TIMES = 0.25, 1.5
"""The part of that for joint states that are told apart, where joint states have proved nothing; and how many times the
steps of these it may be at most in a large program."""


def analyse(
    program: Program,
    options: AnalysisOptions,
    everywhere: bool = False,
    announce: Callable[[Analysis], None] | None = None,
    is_shown: bool = False,
) -> Analysis:
    """The fixpoints of the configurations that `options.domain` asks for; `announce` is told each time one is found.

    A configuration runs if something is left to prove and it knows more than those before it. With `everywhere`,
    invariants are computed for every cell at every location instead of where they matter. With `is_shown`, what a
    certificate cannot show counts as left to prove.

    *Units*: `options.timeout` in seconds. The first configuration may take as long as it needs; those after it have to
    give up after their share of what is left then, since what has been proved stands without them, and after the steps
    of a budget.
    """
    program = over_globals(program)
    resources = Resources(choose_engine(options.engine), Clock(), Deadline(), everywhere)
    runner = _Runner(program, options, resources, Deadline.after(options.timeout), is_shown)
    fixpoints: list[Fixpoint] = []
    is_mixed_out, chosen = False, CHOICES[options.domain]
    for place, configuration in enumerate(chosen):
        is_mixed = configuration.packs is Packs.MIXED
        before = [found for found in fixpoints if found.is_shown or not is_shown]
        is_proved = before and Analysis(program, tuple(before), {}).is_proved
        if is_proved and not (configuration.settles_conflicts and before[-1].has_conflicts):
            break
        if is_mixed and is_mixed_out:  # what costs more would not end either
            continue
        if runner.is_large and not is_proved and any(map(configuration.is_part_of, chosen[place + 1 :])):
            continue
        try:
            found = runner.after(configuration, before) if before else (runner.first(configuration),)
            fixpoints += [replace(one, steps=()) for one in found] if runner.is_sparing else found
            if announce is not None and found:
                announce(Analysis(program, tuple(fixpoints), {}))
        except OutOfTime:
            is_mixed_out = is_mixed_out or is_mixed
    for fixpoint in fixpoints:
        fixpoint.invariants.space.memory.clear()
    return Analysis(program, tuple(fixpoints), resources.clock.seconds)


@dataclass(frozen=True, slots=True)
class _Runner:
    """Runs one configuration after the other, each until its share of the time left before `deadline` is over."""

    program: Program
    options: AnalysisOptions
    resources: Resources
    deadline: Deadline
    is_shown: bool
    joint: Steps = field(default_factory=Steps)
    """What joint states that are not told apart took."""
    grounds: list[Ground] = field(default_factory=list)
    """What the last joint states stood on, which those with others told apart stand on as well."""

    def first(self, configuration: Configuration) -> Fixpoint:
        """The fixpoint of the configuration that all others build on."""
        assert not configuration.needs_fixpoint
        is_related = configuration.packs is Packs.RELATED
        packing = related(self.program, self.options.pack_limit) if is_related else singletons(self.program)
        found = self._coarsened(configuration, self.program, packing, self.resources)
        return found if self._is_left else self._refined(found, self.resources.deadline.steps)

    def after(self, configuration: Configuration, before: Sequence[Fixpoint]) -> tuple[Fixpoint, ...]:
        """The fixpoints of a configuration, none if it knows no more than those before. *Raises*: OutOfTime."""
        budget = float(max(LEAST_STEPS, TIMES * self.resources.deadline.steps.taken))
        if configuration.packs is Packs.MIXED and _is_fruitless(before):
            budget *= FRUITLESS_SHARE
            budget = min(budget, FRUITLESS_TIMES * self.joint.taken) if self.is_large else budget
        resources = self.resources.until(self.deadline.share(configuration.share).within(budget))
        known = [found for found in before if found.joint is None and not (self.is_shown and found.are_followed)]
        base = known[-1]
        open_checks = frozenset.intersection(*(found.open_checks for found in before))
        if configuration.has_counts:
            if configuration.has_cases:
                base = [it for it in known if it.graph.program.commands == self.program.commands][-1]
            return self._counted(configuration, base, resources, open_checks)
        if configuration.packs is Packs.MIXED:
            found = self._joined(configuration, known, resources, open_checks | _only_counted(before))
        else:
            found = self._one(configuration, base, resources, open_checks)
        return () if found is None else (found,)

    def _joined(
        self,
        configuration: Configuration,
        before: Sequence[Fixpoint],
        resources: Resources,
        open_checks: frozenset[int],
    ) -> Fixpoint | None:
        """The last of some fixpoints with joint states, None if they tell no more."""
        domain = choose_domain(configuration.domain, self.options.numeric)
        with resources.clock.stage("joint"):
            if not (self.grounds and self.grounds[0].is_of(before, open_checks)):
                self.grounds[:] = [Ground.of(before, open_checks)]
            found = joined(self.grounds[0], configuration, domain, self.options.pack_limit, resources)
        if not (configuration.is_told_apart or configuration.has_ends or configuration.is_wide):
            self.joint.taken = resources.deadline.steps.taken
        return found

    def _one(
        self, configuration: Configuration, base: Fixpoint, resources: Resources, open_checks: frozenset[int]
    ) -> Fixpoint | None:
        """The fixpoint of a configuration that has but one, None if it knows no more than those before."""
        with resources.clock.stage("relations"):
            certain = certain_equalities(base.graph, base.flows) if configuration.has_copies else NOTHING
            program, packing = self._scope(configuration, base, open_checks)
        is_same = program.commands == self.program.commands
        if is_same and configuration.packs is Packs.SAME:
            has_more = is_telling(base.invariants, certain, open_checks)
            return self._taken_up(configuration, base, resources, certain) if has_more else None
        if is_same and packing == base.graph.packing:
            return None
        if self.is_sparing:
            base.invariants.space.memory.clear()  # nothing is solved in it any more
            space = self._space(configuration, program, packing)
            found = begun_at(base, space, configuration.name, resources, certain)
            if self._is_left:
                return found
        else:
            found = self._coarsened(configuration, program, packing, resources, certain)
        return self._refined(found, resources.deadline.steps)

    @property
    def is_large(self) -> bool:
        """Whether the program is large, and nothing is shown.

        Copies are left to configurations that know of more then, and threads are counted only where open checks may
        depend on that.
        """
        return len(self.program.commands) > LARGE and not self.is_shown

    @property
    def is_long(self) -> bool:
        """Whether the first configuration took long, and nothing is shown: the others relate only what is asked for."""
        return self.resources.deadline.steps.taken > ANEW and not self.is_shown

    @property
    def is_sparing(self) -> bool:
        """Whether the others have to do with less: they do not find out all flows between threads anew.

        Annotations that only a certificate asks for are not kept.
        """
        return self.is_large or self.is_long

    @property
    def _is_left(self) -> bool:
        """Whether fixpoints are left as they are: refinement has hardly ever proved something in so large a program."""
        return self.is_large and self.is_long

    def _scope(
        self, configuration: Configuration, base: Fixpoint, open_checks: frozenset[int]
    ) -> tuple[Program, Packing]:
        """The program and the packs that a configuration looks at."""
        limit = self.options.pack_limit
        match configuration.packs:
            case Packs.SINGLE:
                return self.program, singletons(self.program)
            case Packs.RELATED:
                return self.program, related(self.program, limit)
            case Packs.SAME:
                sees_copies = configuration.settles_conflicts and base.has_conflicts
                return exposed(base.graph, base.flows) if sees_copies else self.program, base.graph.packing
            case Packs.MIXED:
                raise InternalError("packs of locals and globals are those of joint states")
            case Packs.FORWARDED:
                return relational(base.graph, base.flows, open_checks, limit, self.is_long)
            case _:
                assert_never(configuration.packs)

    def _counted(
        self, configuration: Configuration, base: Fixpoint, resources: Resources, open_checks: frozenset[int]
    ) -> tuple[Fixpoint, ...]:
        """The fixpoints with bounds of what threads count together.

        Where these show that more commands never pass, threads are counted once more along the ways that are left.
        What two threads that are followed together have added narrows flows, too. If it has to be shown, the bounds
        alone come first, and all else builds on these, as a checker may not follow the rest.
        """
        found = self._counted_once(configuration, base, resources, open_checks)
        better = next((it for it in reversed(found) if not (self.is_shown and it.are_followed)), None)
        if (
            better is not None
            and not found[-1].is_proved
            and not stopped(better.invariants) <= stopped(base.invariants)
        ):
            with suppress(OutOfTime):
                found += self._counted_once(configuration, better, resources, open_checks)
        return found

    def _counted_once(
        self, configuration: Configuration, base: Fixpoint, resources: Resources, open_checks: frozenset[int]
    ) -> tuple[Fixpoint, ...]:
        """As `_counted`, by what the base alone says of the ways that threads take."""
        assert configuration.packs is Packs.SAME
        limit = self.options.pack_limit if configuration.domain == "octagon" else 1
        domain = choose_domain(configuration.domain, self.options.numeric)
        with resources.clock.stage("counting"):
            found = counting(
                base.invariants, base.flows, base.together, domain, limit, resources.deadline, open_checks,
                is_asked=self.is_large, is_sparse=self.is_long, is_told_apart=configuration.has_cases,
            )  # fmt: skip
            bounds = found.bounds() if found is not None else {}
        if found is None or not bounds:
            return ()
        shown: tuple[Fixpoint, ...] = ()
        if self.is_shown:
            bounded = self._bounded(configuration, base, resources, (found, bounds), is_followed=False)
            shown = tuple(replace(result, counted=found) for result in bounded)
            if shown[-1].is_proved:
                return shown
        with suppress(*(OutOfTime,) if shown else ()):
            *_, last = self._bounded(configuration, base, resources, (found, bounds), is_followed=True)
            return (*shown, replace(last, counted=found, are_followed=True))
        return shown

    def _bounded(
        self,
        configuration: Configuration,
        base: Fixpoint,
        resources: Resources,
        known: tuple[Counting, Certain],
        is_followed: bool,
    ) -> Iterator[Fixpoint]:
        """The fixpoints with counts and their bounds, each with more equalities of copies than the one before."""
        found, bounds = known
        counted = found if is_followed else None
        told = (atom.term for atoms in bounds.values() for atom in atoms)
        summed = {cell for term in (*found.terms, *told) if len(term.terms) > 1 for cell, _ in term.terms}
        if not summed:
            yield self._taken_up(configuration, base, resources, both(base.graph.certain, bounds), counted)
            return
        flows, equal, result = base.flows, NOTHING, None
        while True:  # what sums exclude lets copies stay equal for longer
            before, equal = equal, certain_equalities(base.graph, flows, summed)
            if result is not None and (equal == before or result.is_proved):
                return
            result = self._taken_up(configuration, base, resources, both(equal, bounds), counted)
            flows = result.flows
            yield result

    def _taken_up(
        self,
        configuration: Configuration,
        base: Fixpoint,
        resources: Resources,
        certain: Certain,
        counted: Counting | None = None,
    ) -> Fixpoint:
        """The fixpoint with what is certain besides, from where an earlier one is if that may be refined."""
        if self.options.refine:
            return taken_up(base, configuration.name, resources, certain, counted)
        return coarsen(base.invariants.space, configuration.name, resources, certain)

    def _coarsened(
        self,
        configuration: Configuration,
        program: Program,
        packing: Packing,
        resources: Resources,
        certain: Certain = NOTHING,
    ) -> Fixpoint:
        return coarsen(self._space(configuration, program, packing), configuration.name, resources, certain)

    def _space(self, configuration: Configuration, program: Program, packing: Packing) -> Space:
        return Space(program, packing, choose_domain(configuration.domain, self.options.numeric))

    def _refined(self, fixpoint: Fixpoint, steps: Steps) -> Fixpoint:
        """The fixpoint after refinement, if that is asked for and there is time and steps are left."""
        if self.options.refine:
            with suppress(OutOfTime):
                until = self.deadline.share(REFINEMENT_SHARE).counted(steps)
                return refined(fixpoint, self.resources.until(until), self.is_sparing)
        return fixpoint


def _only_counted(fixpoints: Sequence[Fixpoint]) -> frozenset[int]:
    """The checks that only bounds of counts prove: what they ask about may help to prove others."""
    return frozenset.intersection(*(found.open_checks for found in fixpoints if found.counted is None))


def _is_fruitless(before: Sequence[Fixpoint]) -> bool:
    """Whether there are joint states already, and none proves more than the other fixpoints that do not count."""
    others = [found.open_checks for found in before if found.joint is None and found.counted is None]
    joint = [found.open_checks for found in before if found.joint is not None]
    return bool(joint) and frozenset.intersection(*others) == frozenset.intersection(*others, *joint)
