"""What the race analysis must not miss: places of two threads in one state of the explicit-state semantics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from duet.check.implied import with_accesses
from duet.check.races import sites
from duet.coarsen.analysis import analyse
from duet.flow.effects import instruction_effects
from duet.options import AnalysisOptions
from duet.plip.printer import print_program
from duet.plip.semantics import explore
from duet.plip.syntax import Atomic, Program
from tests.soundness.generate import random_program
from tests.soundness.properties import LIMITS, SAMPLES
from tests.soundness.shrink import shrink

Race = tuple[int, int, str]
"""Two locations, the smaller one first, and the global cell that is accessed from both."""


def real_races(program: Program) -> frozenset[Race]:
    """Races that happen: two threads in one state, each before an instruction that touches the cell."""
    together = explore(program, LIMITS, SAMPLES).together
    return frozenset(
        (one, other, cell) for one, other in together for cell in program.globals if _clash(program, one, other, cell)
    )


def _clash(program: Program, one: int, other: int, cell: str) -> bool:
    """Whether some instructions at two locations touch a cell, one writes it, and not both are atomic."""
    return any(
        (left[0] or right[0]) and not (left[1] and right[1])
        for left in _uses(program, one, cell)
        for right in _uses(program, other, cell)
    )


def _uses(program: Program, location: int, cell: str) -> Iterator[tuple[bool, bool]]:
    """For each instruction at a location that touches a cell: whether it writes it, and whether it is atomic."""
    inside = any(location in template.atomic for template in program.templates.values())
    for index in program.outgoing[location]:
        instruction = program.commands[index].instruction
        effect = instruction_effects(instruction, frozenset())
        if cell in effect.reads | effect.writes:
            yield cell in effect.writes, inside or isinstance(instruction, Atomic)


def claimed_races(program: Program, options: AnalysisOptions) -> frozenset[Race]:
    """The races that the analysis does not exclude."""
    annotated = with_accesses(program)
    found, analysis = sites(annotated), analyse(annotated, options)
    pairs = ((found[one], found[other]) for one, other in analysis.races)
    return frozenset(
        (min(a.location, b.location), max(a.location, b.location), a.access.object) for a, b in pairs
    )  # fmt: skip


def missed(program: Program, options: AnalysisOptions) -> frozenset[Race]:
    """Races that happen, but not according to the analysis."""
    return real_races(program) - claimed_races(program, options)


def _is_missed(options: AnalysisOptions, program: Program) -> bool:
    return bool(missed(program, options))


def first_missed(seeds: Iterable[int], options: tuple[AnalysisOptions, ...]) -> str | None:
    """A report on the first random program with a missed race, or None."""
    for seed in seeds:
        program = random_program(seed)
        real = real_races(program)
        for option in options:
            if real - claimed_races(program, option):
                small = shrink(program, partial(_is_missed, option))
                text = print_program(small, spans=False)
                return f"seed {seed}, with {option.domain}: {sorted(missed(small, option))}\n\n{text}"
    return None
