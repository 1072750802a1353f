"""The analysis against the explicit-state semantics on random programs.

`DUET_SOUNDNESS_PROGRAMS` sets how many (100 by default, those that are known to show seeded defects, and 566 that are
analysed with intervals only),
`DUET_SOUNDNESS_SEED` the first seed; a failure prints its seed, and `python -m tests.soundness.soak --seed N --count 1`
replays it.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial

import pytest

from datalog.registry import available
from duet.coarsen.analysis import analyse
from duet.coarsen.configurations import ENDS, INTERVAL
from duet.options import AnalysisOptions
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.semantics import explore, runs_once
from duet.plip.syntax import Atomic, Instruction, Join, Program, Spawn
from tests.soundness.ends import ends_program
from tests.soundness.generate import random_program
from tests.soundness.properties import LIMITS, SAMPLES, first_report
from tests.soundness.relational import relational_program
from tests.soundness.witnesses import beyond

CHUNK = 50
COUNT = int(os.environ.get("DUET_SOUNDNESS_PROGRAMS", "60"))
FIRST = int(os.environ.get("DUET_SOUNDNESS_SEED", "0"))
QUICK = 17 * COUNT // 3
COSTLY = {11}  # its program takes as long as thirty others
RELATIONAL = [0, *range(2, 1 + COUNT // 20)]  # the program of 1 takes as long as four others
BOTH_DOMAINS = tuple(AnalysisOptions(domain=domain, engine="bitset") for domain in ("interval", "octagon"))


@pytest.mark.parametrize("start", range(FIRST, FIRST + COUNT, CHUNK))
def test_no_unsound_answer(start: int) -> None:
    seeds = {*range(start, min(start + CHUNK, FIRST + COUNT))} - COSTLY
    report = first_report(sorted(seeds), analyse, BOTH_DOMAINS)
    assert report is None, report


@pytest.mark.parametrize("start", range(FIRST + 10 * COUNT, FIRST + 10 * COUNT + QUICK, CHUNK))
def test_no_unsound_answer_of_intervals(start: int) -> None:
    report = first_report(range(start, min(start + CHUNK, FIRST + 10 * COUNT + QUICK)), analyse, BOTH_DOMAINS[:1])
    assert report is None, report


def test_no_unsound_answer_where_defects_show() -> None:
    """Each of these programs is one on which some wrong rule gives a wrong answer."""
    seeds = beyond("plip", COUNT)
    for method in (analyse, partial(analyse, everywhere=True)):
        report = first_report(seeds, method, BOTH_DOMAINS)
        assert report is None, report


def test_no_unsound_answer_about_relations() -> None:
    """Sums and capacities that critical sections keep or break."""
    report = first_report(RELATIONAL, analyse, BOTH_DOMAINS[1:], made=relational_program)
    assert report is None, report


def test_no_unsound_answer_about_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers that threads know by copies; the configuration that relates them is asked wherever anything is open."""
    monkeypatch.setattr("duet.coarsen.analysis.CHOICES", {"octagon": (INTERVAL, ENDS)})
    report = first_report(range(COUNT // 2), analyse, BOTH_DOMAINS[1:], made=ends_program)
    assert report is None, report


def test_no_unsound_answer_of_large_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What starts at the flows of the first configuration, in packs that open checks are concerned with."""
    monkeypatch.setattr("duet.coarsen.analysis.ANEW", -1)
    monkeypatch.setattr("duet.coarsen.analysis.LARGE", -1)
    options = (AnalysisOptions(domain="auto", engine="bitset"),)
    report = first_report(RELATIONAL, analyse, options, made=relational_program)
    assert report is None, report
    report = first_report(range(FIRST, FIRST + 10), analyse, options)
    assert report is None, report


def test_no_unsound_answer_with_every_cell_everywhere() -> None:
    # Invariants are otherwise computed where checks and guards need them, so fewer stores could be refused.
    report = first_report(
        range(FIRST + COUNT, FIRST + COUNT + CHUNK // 2), partial(analyse, everywhere=True), BOTH_DOMAINS
    )
    assert report is None, report


def test_no_unsound_answer_without_refinement() -> None:
    options = tuple(replace(option, refine=False) for option in BOTH_DOMAINS)
    report = first_report(range(FIRST + COUNT, FIRST + COUNT + CHUNK // 2), analyse, options)
    assert report is None, report


@pytest.mark.parametrize("engine", ["souffle", "clingo"])
def test_no_unsound_answer_with_other_engines(engine: str) -> None:
    found = {one.name: one for one in available()}[engine]
    if not found.is_available:
        pytest.skip(found.note)
    options = tuple(AnalysisOptions(domain=domain, engine=engine) for domain in ("interval", "octagon"))
    report = first_report(sorted({*range(FIRST, FIRST + 15)} - COSTLY), analyse, options)
    assert report is None, report


def test_one_instance_is_never_claimed_wrongly() -> None:
    """Two implementations: what the analysis takes for ONE (it may give up early), and that of the semantics."""
    agreed = 0
    for seed in range(500):
        program = random_program(seed)
        for name, multiplicity in multiplicities(program).items():
            if multiplicity is Multiplicity.ONE:
                assert runs_once(program, name) or name not in _spawned(program), (seed, name)
                agreed += 1
    assert agreed > 500


def _spawned(program: Program) -> set[str]:
    return {c.instruction.template for c in program.commands if isinstance(c.instruction, Spawn)}


def _instructions(count: int) -> list[Instruction]:
    return [command.instruction for seed in range(count) for command in random_program(seed).commands]


def test_generator_reaches_every_construct() -> None:
    instructions = _instructions(200)
    kinds = {type(instruction).__name__ for instruction in instructions}
    assert kinds == {"Assign", "Havoc", "Compute", "Lookup", "Guard", "Assert", "Spawn", "Join", "Atomic"}
    assert any(isinstance(i, Spawn) and i.arguments for i in instructions)
    assert any(isinstance(i, Atomic) and len(i.steps) > 1 for i in instructions)
    assert any(isinstance(i, Join) for i in instructions)


def test_generator_is_repeatable() -> None:
    assert random_program(7) == random_program(7) != random_program(8)


def test_random_checks_both_hold_and_fail() -> None:
    """The programs say something: a good part of the checks is reached, some fail and some do not."""
    explorations = [explore(random_program(seed), LIMITS, SAMPLES) for seed in range(200)]
    reached = sum(len(exploration.reached) for exploration in explorations)
    failing = sum(len(exploration.failures) for exploration in explorations)
    assert reached > 200
    assert reached / 5 < failing < reached * 4 / 5
