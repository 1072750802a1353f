"""What must hold between an analysis and the explicit-state semantics, and the report of a violation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol, TypeAlias

from duet.options import AnalysisOptions
from duet.plip.execute import Samples, Value
from duet.plip.printer import print_program, show_instruction
from duet.plip.semantics import Exploration, Limits, explore
from duet.plip.syntax import Program
from duet.result import Check, Status
from tests.soundness.generate import random_program
from tests.soundness.shrink import shrink

# Small enough for hundreds of programs per second; spawns beyond three threads start nothing.
LIMITS = Limits(threads=3, states=3000, value=8)
SAMPLES = Samples(havoc=(0, 1, 2), initial=(0, 1))


class Analysis(Protocol):
    """What the properties need of a result."""

    def status_of(self, check: Check) -> Status: ...
    def admits(self, location: int, store: Mapping[str, int]) -> bool: ...


Analyse: TypeAlias = Callable[[Program, AnalysisOptions], Analysis]


def violation(program: Program, analyse: Analyse, options: AnalysisOptions, limits: Limits = LIMITS) -> str | None:
    """The first unsound answer of an analysis, in words, or None."""
    exploration = explore(program, limits, SAMPLES)
    analysis = analyse(program, options)
    return next(unsound(exploration, analysis), None)


def unsound(exploration: Exploration, analysis: Analysis) -> Iterator[str]:
    """Every unsound answer: checks that fail but are called safe, reached ones called unreachable, stores left out."""
    for check, execution in exploration.failures.items():
        status = analysis.status_of(check)
        if status.is_safe:
            yield f"{check.id} is {status}, but fails:\n{show_execution(exploration.program, execution)}"
    for check in sorted(exploration.reached):
        if analysis.status_of(check) is Status.UNREACHABLE:
            yield f"{check.id} is unreachable, but a thread gets there"
    for location in sorted(exploration.stores):
        for store in exploration.thread_stores(location):
            for concrete in _concrete(store):
                if not analysis.admits(location, concrete):
                    yield f"the invariant of location {location} leaves out {concrete}"


def _concrete(store: Mapping[str, Value]) -> Iterator[dict[str, int]]:
    """The store with every value of each summary cell, one summary at a time."""
    base = {cell: value if isinstance(value, int) else min(value) for cell, value in store.items()}
    yield base
    for cell, value in store.items():
        if isinstance(value, frozenset):
            yield from ({**base, cell: element} for element in sorted(value))


def show_execution(program: Program, execution: tuple[int, ...]) -> str:
    """The commands of an execution, one per line."""
    lines = []
    for index in execution:
        command = program.commands[index]
        text = show_instruction(command.instruction)
        lines.append(f"  {program.template_of[command.source]}: {command.source}: {text} -> {command.target}")
    return "\n".join(lines)


def shrunk_report(program: Program, analyse: Analyse, options: AnalysisOptions, limits: Limits = LIMITS) -> str:
    """The text of a smallest program found on which the analysis is still unsound, with its violation."""

    def is_failing(candidate: Program) -> bool:
        return violation(candidate, analyse, options, limits) is not None

    small = shrink(program, is_failing)
    text = print_program(small, spans=False)
    return f"with {options.domain} and engine {options.engine}: {violation(small, analyse, options, limits)}\n\n{text}"


def first_report(
    seeds: Iterable[int],
    analyse: Analyse,
    options: tuple[AnalysisOptions, ...],
    limits: Limits = LIMITS,
    made: Callable[[int], Program] = random_program,
) -> str | None:
    """A report on the first seed whose program shows an unsound answer, or None."""
    for seed in seeds:
        program = made(seed)
        exploration = explore(program, limits, SAMPLES)
        for option in options:
            if next(unsound(exploration, analyse(program, option)), None) is not None:
                return f"seed {seed}, {shrunk_report(program, analyse, option, limits)}"
    return None
