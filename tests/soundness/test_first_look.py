"""The first look is sound: random programs against the explicit-state semantics, and defects that this would find."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import pytest

from domains.values.number import contains
from duet.absint import direct as direct_module
from duet.absint.direct import Direct, direct
from duet.coarsen.early import look
from duet.coarsen.resources import choose_domain
from duet.deadline import Deadline
from duet.flow import ssa
from duet.options import AnalysisOptions
from duet.plip import opened as opened_module
from duet.plip.opened import opened
from duet.plip.syntax import Assert, Assign, Havoc, Instruction, Program
from duet.plip.terms import constant
from duet.result import Check, Status
from tests.soundness.generate import random_program
from tests.soundness.properties import first_report, violation

OPTIONS = (AnalysisOptions(domain="interval", numeric="own"),)
SEEDS = 300


@dataclass(frozen=True)
class _Answers:
    """A first look as the properties ask it."""

    found: Direct
    statuses: Mapping[Check, Status]

    def status_of(self, check: Check) -> Status:
        return self.statuses.get(check, Status.UNPROVED)

    def admits(self, location: int, store: Mapping[str, int]) -> bool:
        state, space = self.found.state(location), self.found.space
        return state is not None and all(contains(space.number(state, cell), value) for cell, value in store.items())


def _first_look(program: Program, options: AnalysisOptions) -> _Answers:
    early = look(program, options, Deadline())
    found = direct(program, choose_domain("interval", options.numeric), Deadline())
    return _Answers(found, {item.check: item.status for item in early.decided})


def test_random_programs() -> None:
    assert first_report(range(SEEDS), _first_look, OPTIONS) is None


def _with_half_of_the_cells(program: Program, options: AnalysisOptions) -> _Answers:
    return _first_look(opened(program, sorted(program.cells)[::2]), options)


def test_random_programs_of_which_some_cells_hold_anything() -> None:
    assert first_report(range(SEEDS // 2), _with_half_of_the_cells, OPTIONS) is None


def _stops(instruction: Instruction, kept: Collection[str]) -> Instruction:
    """A check that cannot be proved keeps all from going on, as if it failed."""
    found = without_others(instruction, kept)
    return replace(found, stops=True) if isinstance(found, Assert) else found


def _zero(instruction: Instruction, kept: Collection[str]) -> Instruction:
    """What is computed of cells that hold anything is 0."""
    match without_others(instruction, kept):
        case Havoc(target) if not isinstance(instruction, Havoc):
            return Assign(target, constant(0))
        case found:
            return found


without_others = opened_module._without_others


@pytest.mark.parametrize("defect", [_stops, _zero])
def test_defects_of_programs_of_which_some_cells_hold_anything(
    defect: Callable[[Instruction, Collection[str]], Instruction], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opened_module, "_without_others", defect)
    assert first_report(range(SEEDS), _with_half_of_the_cells, OPTIONS) is not None


def _forgets_writers(self: object, pack: int) -> dict[int, object]:
    return {pack: self.space.initial(pack)}  # type: ignore[attr-defined]


def _replaces(_: object, pack: int, before: object, value: object) -> object:
    return value


def _starts_nobody(self: object, location: int, packs: Iterable[int]) -> list[object]:
    return [{}] if location == self.main else []  # type: ignore[attr-defined]


def _joins_nowhere(self: object, cell: int, places: object) -> None:
    """Definitions never meet: what dominates a location is taken to hold there."""


def _keeps(current: object, before: object) -> None:
    """What holds on one branch is taken to hold on the next one."""


def _as_elsewhere(found: ssa.Definitions, entries: object) -> ssa.Definitions:
    """What threads begin with is left out where only one definition comes back to where they do."""
    return SEEN_ONLY(found, ())


SEEN_ONLY = ssa._seen_only
DEFECTS = {
    "writes to shared cells are forgotten": (direct_module.System, "shared_value", _forgets_writers),
    "a write to a summary cell replaces what was there": (direct_module.System, "with_written", _replaces),
    "threads are never started": (direct_module.System, "starting_states", _starts_nobody),
    "definitions never meet": (ssa._Template, "_place", _joins_nowhere),
    "threads begin with what one definition brings": (ssa, "_seen_only", _as_elsewhere),
    "definitions outlive their branch": (ssa, "_restore", _keeps),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_seeded_defect_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, method, wrong = DEFECTS[name]
    monkeypatch.setattr(place, method, wrong)
    assert any(violation(random_program(seed), _first_look, OPTIONS[0]) for seed in range(SEEDS))
