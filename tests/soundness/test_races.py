"""No race is missed: random programs against the explicit-state semantics, and seeded defects that this notices.

`DUET_SOUNDNESS_PROGRAMS` sets how many programs (60 by default, and those that are known to show seeded defects),
`DUET_SOUNDNESS_SEED` the first seed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from unittest.mock import patch

import pytest

from duet.check import races
from duet.check.races import Together
from duet.interference.solve import Flows
from duet.options import AnalysisOptions
from duet.plip.accesses import Access
from tests.soundness.generate import random_program
from tests.soundness.races import claimed_races, first_missed, missed, real_races
from tests.soundness.witnesses import beyond, candidates

CHUNK = 100
COUNT = int(os.environ.get("DUET_SOUNDNESS_PROGRAMS", "60"))
ENOUGH = 600  # programs for a seeded defect to be noticed
FIRST = int(os.environ.get("DUET_SOUNDNESS_SEED", "0"))
COSTLY = {11}  # its program takes as long as thirty others
INTERVAL = AnalysisOptions(domain="interval", engine="bitset")
CONFIGURATIONS = (INTERVAL, AnalysisOptions(domain="octagon", engine="bitset"), replace(INTERVAL, refine=False))


@pytest.mark.parametrize("start", range(FIRST, FIRST + COUNT, CHUNK))
def test_no_race_is_missed(start: int) -> None:
    report = first_missed(sorted({*range(start, min(start + CHUNK, FIRST + COUNT))} - COSTLY), CONFIGURATIONS)
    assert report is None, report


def test_no_race_is_missed_where_defects_show() -> None:
    report = first_missed(beyond("races", COUNT), CONFIGURATIONS)
    assert report is None, report


def test_programs_have_races_and_pairs_that_are_none() -> None:
    """The comparison says something: races happen, and the analysis excludes some pairs."""
    happening = excluded = 0
    for seed in sorted({*range(30)} - COSTLY):
        program = random_program(seed)
        happening += bool(real_races(program))
        with patch("duet.check.races.Together.__call__", lambda *_: True):
            every = claimed_races(program, INTERVAL)
        excluded += len(every - claimed_races(program, INTERVAL))
    assert happening > 9
    assert excluded > 30


def _contradicting_inside(self: Together, left: int, right: int) -> bool:
    """Invariants of a thread that waits for another one inside of a region count, too."""
    self._inside = frozenset()
    return _TOGETHER(self, left, right)


_TOGETHER = Together.__call__
_COREACHABLE = Flows.coreachable
_CONFLICT = races.conflict


def _one_instance_each(self: Together, left: int, right: int) -> bool:
    """Two threads of one template are never compared."""
    return self.program.template_of[left] != self.program.template_of[right] and _TOGETHER(self, left, right)


def _entered_only(self: Flows, left: int, right: int) -> bool:
    """A thread is only seen where a block of locations begins."""
    heads = {block: location for location, block in reversed(list(self._pairs.block.items()))}
    return {left, right} <= set(heads.values()) and _COREACHABLE(self, left, right)


def _agreeing(self: Together, left: int, right: int) -> bool:
    """Threads that know the same thing are taken to exclude each other."""
    both = self._entailed(left) & self._entailed(right)
    return not both and _TOGETHER(self, left, right)


def _atomic_against_all(left: Access, right: Access) -> bool:
    """One atomic access is taken to be enough."""
    return not (left.is_atomic or right.is_atomic) and _CONFLICT(left, right)


DEFECTS: Mapping[str, tuple[str, Callable[..., bool]]] = {
    "invariants-inside-regions": ("duet.check.races.Together.__call__", _contradicting_inside),
    "one-instance-each": ("duet.check.races.Together.__call__", _one_instance_each),
    "entered-only": ("duet.interference.solve.Flows.coreachable", _entered_only),
    "agreeing": ("duet.check.races.Together.__call__", _agreeing),
    "atomic-against-all": ("duet.check.races.conflict", _atomic_against_all),
}


def shows(name: str, seed: int) -> bool:
    """Whether the analysis with a defect misses a race of a random program."""
    with patch(*DEFECTS[name]):
        return bool(missed(random_program(seed), INTERVAL))


@pytest.mark.parametrize("name", DEFECTS)
def test_seeded_defects_are_noticed(name: str) -> None:
    assert any(shows(name, seed) for seed in candidates("races", name, ENOUGH))
