"""The configurations: what the analysis may know of a program, as data; and which of them each choice of a domain runs.

A new one is a record here, its place in `CHOICES`, and a program in `tests/coarsen/test_configurations.py` that it is
the first to prove.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from domains.registry import DomainName


class Packs(Enum):
    """Which cells are tracked together."""

    SINGLE = "each cell by itself"
    RELATED = "cells that the program relates"
    SAME = "those of the fixpoint before"
    MIXED = "cells of a thread and those globals that nobody else can write, at each location"
    FORWARDED = "cells that the program relates once globals stand for their copies and locks protect what they do"

    @property
    def needs_fixpoint(self) -> bool:
        """Whether they are found by a fixpoint before."""
        return self in (Packs.SAME, Packs.FORWARDED, Packs.MIXED)


@dataclass(frozen=True, slots=True)
class Configuration:
    """One way to look at a program; its fixpoint is sound by itself.

    `name` is what reports say and `domain` what tracks the packs. What it knows besides, all of it by the fixpoint
    before: with `has_copies`, equalities of copies and globals that are certain; with `has_counts`, bounds of what
    threads add up to. With `settles_conflicts` it also runs where only races or deadlocks are left, and then sees
    guards on copies as guards on globals. With `has_cases`, joint states are told apart by the values of flags, with
    `has_iterations` by those of cells that decide when loops end, with `has_outcomes` by numbers that a part of an open
    check compares cells with. With `has_ends`, they relate globals that threads know by copies, each of one end of a
    ring, say. Where it `is_wide`, more of a thread's locals are in one pack; it is of no use where none are left out.
    *Units*: `share` is the part of the time left that it may take; the first one takes as long as it needs.
    """

    name: str
    domain: DomainName
    packs: Packs
    share: float
    has_copies: bool = False
    has_counts: bool = False
    settles_conflicts: bool = False
    has_cases: bool = False
    has_iterations: bool = False
    has_outcomes: bool = False
    has_ends: bool = False
    is_wide: bool = False

    @property
    def is_told_apart(self) -> bool:
        """Whether it is of no use where nothing tells states apart."""
        return self.has_cases or self.has_iterations or self.has_outcomes

    def is_part_of(self, other: Configuration) -> bool:
        """Whether it knows of copies and nothing else what another one knows, and relates cells by, too."""
        return self.has_copies and self.packs is Packs.SAME and other.has_copies and other.packs is Packs.FORWARDED

    @property
    def needs_fixpoint(self) -> bool:
        """Whether it builds on the fixpoint of another one."""
        return self.packs.needs_fixpoint or self.has_copies or self.has_counts


INTERVAL = Configuration("interval", "interval", Packs.SINGLE, share=1.0)
COPIES = Configuration("copies", "interval", Packs.SAME, share=0.3, has_copies=True, settles_conflicts=True)
OCTAGON = Configuration("octagon", "octagon", Packs.RELATED, share=1.0)
POLYHEDRA = replace(OCTAGON, name="polyhedra", domain="polyhedra")
FORWARDED = Configuration("octagon", "octagon", Packs.FORWARDED, share=0.7, has_copies=True)
FORWARDED_POLYHEDRA = replace(FORWARDED, name="polyhedra", domain="polyhedra")
JOINT = Configuration("joint", "octagon", Packs.MIXED, share=0.5)
CASES = replace(JOINT, name="cases", has_cases=True)
ITERATIONS = replace(JOINT, name="iterations", has_iterations=True)
OUTCOMES = replace(JOINT, name="outcomes", has_outcomes=True)
ENDS = replace(JOINT, name="ends", has_ends=True)
WIDE = replace(JOINT, name="wide", is_wide=True)
JOINT_POLYHEDRA = replace(JOINT, domain="polyhedra")
CASES_POLYHEDRA = replace(CASES, domain="polyhedra")
COUNTING = Configuration("counting", "octagon", Packs.SAME, share=0.3, has_counts=True)
COUNTING_CASES = replace(COUNTING, name="counting cases", has_cases=True)
"""With states of threads told apart by what these have added."""
COUNTING_ALONE = replace(COUNTING, domain="interval")
"""Without relations of what a thread adds with its other cells."""

CHOICES: Mapping[str, tuple[Configuration, ...]] = {
    "interval": (INTERVAL, COPIES, COUNTING_ALONE),
    "octagon": (OCTAGON, FORWARDED, COUNTING, JOINT, ENDS, CASES, OUTCOMES, ITERATIONS, COUNTING_CASES, WIDE),
    "polyhedra": (POLYHEDRA, FORWARDED_POLYHEDRA, COUNTING, JOINT_POLYHEDRA, CASES_POLYHEDRA, OUTCOMES, ITERATIONS),
    "auto": (INTERVAL, COPIES, COUNTING, FORWARDED, JOINT, ENDS, CASES, OUTCOMES, ITERATIONS, COUNTING_CASES, WIDE),
}
"""What each choice of a domain runs, in order of cost."""
REFINEMENT_SHARE = 0.5
"""The part of the time left that the refinement of a fixpoint may take."""
