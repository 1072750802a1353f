"""Random C programs against their executions: nothing that fails is proved, nothing that runs is unreachable.

Every other chunk of programs is lowered as large ones are. `DUET_C_PROGRAMS` sets how many programs (60 by default, a
fifth of them with threads, a tenth mostly calls, a tenth about memory), `DUET_C_SEED` the first seed; longer runs with
`python -m tests.soundness.c_soak`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from duet.frontend import program
from duet.frontend.bodies import callees, inline, stable
from duet.frontend.cells import arithmetic, convert, gate, located, memory, regions
from duet.frontend.cells.context import Context
from duet.frontend.cells.elements import Elements
from duet.frontend.cells.memory import Memory
from duet.frontend.cells.thread import Frame, Outcome
from duet.frontend.ctypes.types import CType, IntType, StructType
from duet.frontend.ctypes.values import Direct, Number, Value
from duet.frontend.expressions import assign, expr
from duet.frontend.models import atomics, checks
from duet.frontend.source.nodes import Node
from tests.soundness.budgets import MODES
from tests.soundness.c_calls import random_calls
from tests.soundness.c_memory import random_memory
from tests.soundness.c_oracle import COMPILER, Seen
from tests.soundness.c_pointers import random_pointers
from tests.soundness.c_programs import random_program, with_checks
from tests.soundness.c_sections import random_sections
from tests.soundness.c_soak import DOMAINS, calls, concurrent, judged, layouts, pointers, sequential
from tests.soundness.c_threads import random_threads
from tests.soundness.witnesses import candidates

COUNT = int(os.environ.get("DUET_C_PROGRAMS", "30"))
FIRST = int(os.environ.get("DUET_C_SEED", "0"))
CHUNK = 30
# Relations of values make the analysis take several times as long; longer runs use them for every other program.
MOSTLY_INTERVALS = ("octagon", "interval", "interval", "interval")
ENOUGH = 80  # programs in which a seeded defect must show
needs_compiler = pytest.mark.skipif(shutil.which(COMPILER) is None, reason="there is no gcc to compile programs with")
Defect = Callable[[pytest.MonkeyPatch], None]
Kind = Callable[[Iterable[int], Path], list[tuple[int, str, Seen]]]


def _mode(start: int) -> str:
    """The budgets of a chunk of programs: in turn those of every run, and those that make every program a large one."""
    return tuple(MODES)[(start - FIRST) // CHUNK % len(MODES)]


@needs_compiler
@pytest.mark.parametrize("start", range(FIRST, FIRST + COUNT * 7 // 10, CHUNK))
def test_sequential_programs(start: int, tmp_path: Path) -> None:
    end = min(start + CHUNK, FIRST + COUNT * 7 // 10)
    report = judged(sequential(range(start, end), tmp_path), tmp_path, MOSTLY_INTERVALS, mode=_mode(start))
    assert not report.wrong, "\n\n".join(report.wrong)
    assert report.failing > report.programs  # the checks say something
    assert report.proved > report.programs


@needs_compiler
@pytest.mark.parametrize("start", range(FIRST, FIRST + COUNT // 7, CHUNK // 2))
def test_programs_with_threads(start: int, tmp_path: Path) -> None:
    seeds = range(start, min(start + CHUNK // 2, FIRST + COUNT // 7))
    programs = concurrent((seed + 1 for seed in seeds), tmp_path)  # the program of 0 takes as long as ten others
    report = judged(programs, tmp_path, MOSTLY_INTERVALS, mode=_mode(start))
    assert not report.wrong, "\n\n".join(report.wrong)
    assert report.failing > report.programs
    assert report.proved > report.programs


@needs_compiler
def test_elements_with_locks_of_their_own(tmp_path: Path) -> None:
    seeds = range(FIRST, FIRST + COUNT // 10)
    programs = concurrent(seeds, tmp_path, make=random_sections)
    report = judged(programs, tmp_path, ("interval",), mode=_mode(FIRST))
    assert not report.wrong, "\n\n".join(report.wrong)
    assert report.failing > report.programs
    assert report.proved > report.programs // 2


@needs_compiler
@pytest.mark.parametrize("start", range(FIRST, FIRST + COUNT // 20, CHUNK))
def test_programs_of_calls_that_share_bodies(start: int, tmp_path: Path) -> None:
    seeds = range(start, min(start + CHUNK, FIRST + COUNT // 20))
    report = judged(calls(seeds, tmp_path), tmp_path, mode="small")
    assert not report.wrong, "\n\n".join(report.wrong)
    assert report.failing > report.programs
    assert report.proved > report.programs // 2


@needs_compiler
@pytest.mark.parametrize(
    ("kind", "start", "end"),
    [
        pytest.param(kind, start, min(start + CHUNK, FIRST + count), id=f"{kind.__name__}-{start}")
        for kind, count in ((layouts, COUNT // 10), (pointers, COUNT // 5))
        for start in range(FIRST, FIRST + count, CHUNK)
    ],
)
def test_programs_about_memory(kind: Kind, start: int, end: int, tmp_path: Path) -> None:
    report = judged(kind(range(start, end), tmp_path), tmp_path, mode=_mode(start))
    assert not report.wrong, "\n\n".join(report.wrong)
    assert report.failing > report.programs
    assert report.proved > report.programs // 2


def test_generators_are_repeatable() -> None:
    assert random_calls(7) == random_calls(7) != random_calls(8)
    assert random_pointers(7) == random_pointers(7) != random_pointers(8)
    assert random_memory(7) == random_memory(7) != random_memory(8)
    assert random_program(7) == random_program(7) != random_program(8)
    assert random_threads(7) == random_threads(7) != random_threads(8)
    values = {number: frozenset((3,)) for number in range(400)}
    assert with_checks(random_program(7), values, 1) == with_checks(random_program(7), values, 1)


def _no_wrap(patch: pytest.MonkeyPatch) -> None:
    """Narrowing and unsigned arithmetic keep the mathematical value."""

    def fit(ctx: object, value: Number, kind: IntType) -> Number:
        return Number(value.term, kind, max(value.lo, kind.lo), min(value.hi, kind.hi), value.origins)

    for module in (convert, arithmetic):
        patch.setattr(module, "fit", fit)


def _strong_summaries(patch: pytest.MonkeyPatch) -> None:
    """A write to one element is one to all elements that share its cell."""
    locate = memory.Memory.locate

    def strong(self: memory.Memory, place: Direct) -> located.Located:
        found = locate(self, place)
        if isinstance(found, located.CellAt) and found.is_summary:
            self.cells[found.name] = replace(self.cells[found.name], summary=False)
            return replace(found, is_summary=False)
        return found

    patch.setattr(memory.Memory, "locate", strong)


def _first_value(patch: pytest.MonkeyPatch) -> None:
    """Where paths meet, the value of the first one is taken."""

    def merged(ctx: Context, outcomes: list[Outcome], kind: CType) -> Value:
        return original(ctx, [(location, outcomes[0][1]) for location, _ in outcomes], kind)

    original = convert.merged
    for module in (convert, expr, gate):
        patch.setattr(module, "merged", merged)


def _no_escape(patch: pytest.MonkeyPatch) -> None:
    """Locals whose address other threads get stay private."""
    patch.setattr(Memory, "is_shared", lambda _, of: of.kind in ("global", "heap"))


def _one_target(patch: pytest.MonkeyPatch) -> None:
    """A pointer is taken to point to the first candidate only."""
    choices = gate.choices
    patch.setattr(gate, "choices", lambda *given, **named: choices(*given, **named)[:1])


def _nothing_kept(patch: pytest.MonkeyPatch) -> None:
    """A value that is used after its variable has changed is the new one."""
    patch.setattr(assign, "snapshot", lambda _, value: value)


def _all_stable(patch: pytest.MonkeyPatch) -> None:
    """A function changes nothing that it is given."""
    patch.setattr(stable, "is_private", lambda _, name: not name.startswith("*"))


def _never_atomic(patch: pytest.MonkeyPatch) -> None:
    """Everything a thread does is one step from its first atomic region on."""
    for module in (regions, callees, atomics, checks, program):
        patch.setattr(module, "leave_region", lambda ctx: ctx.builder.flush())


def _first_arguments(patch: pytest.MonkeyPatch) -> None:
    """A body that calls share has the arguments of the first of them only."""
    resume = inline.resume

    def kept(ctx: Context, frame: Frame, values: list[Value], node: Node, is_recursion: bool) -> list[Outcome]:
        return resume(ctx, frame if is_recursion else replace(frame, parameters=()), values, node, is_recursion)

    patch.setattr(inline, "resume", kept)


def _unions_apart(patch: pytest.MonkeyPatch) -> None:
    """Unions in an array stay apart where an index chooses one, and another one a part of it."""
    blur = Elements.blur

    def ignoring(self: Elements, place: Direct) -> None:
        if not (isinstance(place.type, StructType) and place.type.is_union):
            blur(self, place)

    patch.setattr(Elements, "blur", ignoring)


DEFECTS: Mapping[str, tuple[Defect, Kind, str]] = {
    "no-wrap": (_no_wrap, sequential, "default"),
    "strong-summaries": (_strong_summaries, sequential, "default"),
    "first-value": (_first_value, sequential, "default"),
    "one-target": (_one_target, sequential, "default"),
    "nothing-kept": (_nothing_kept, sequential, "default"),
    "all-stable": (_all_stable, sequential, "default"),
    "no-escape": (_no_escape, concurrent, "default"),
    "never-atomic": (_never_atomic, concurrent, "default"),
    "first-arguments": (_first_arguments, calls, "small"),
    "unions-apart": (_unions_apart, layouts, "default"),
    "strong-summaries-if-large": (_strong_summaries, sequential, "small"),
}


def shows(name: str, seed: int) -> bool:
    """Whether the front end with a defect gives an unsound answer for a random program."""
    defect, kind, mode = DEFECTS[name]
    with tempfile.TemporaryDirectory() as directory, pytest.MonkeyPatch.context() as patch:
        folder = Path(directory)
        programs = kind((seed,), folder)
        defect(patch)
        wrong = judged(programs, folder, DOMAINS, mode=mode).wrong
    return any("but it" in text or "violations" in text for text in wrong)


@needs_compiler
@pytest.mark.parametrize("name", DEFECTS)
def test_seeded_defects_are_caught(name: str) -> None:
    assert any(shows(name, seed) for seed in candidates("c", name, ENOUGH))
