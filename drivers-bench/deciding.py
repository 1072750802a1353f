"""What `duet.verify` and runs decide of the checks of the bundled programs that data flow graphs leave open.

Proofs and schedules are looked for one after the other, so that neither hides what the other one gets wrong. Races and
deadlocks that are annotated to happen count as checks that fail; that there are none is nothing that cubes prove.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time
from unittest.mock import patch

from rich.markup import escape
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # where the tests' annotations are found

from duet import limits
from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.early import look
from duet.coarsen.results import Analysis
from duet.deadline import Deadline
from duet.options import AnalysisOptions
from duet.pipeline import Job, perform, subject_of
from duet.reading import Input, read
from duet.replay.confirm import RUN, confirmed
from duet.result import Assertion, Check, Run, Status
from duet.verify import conflict_verdicts, decide
from duet.verify.decide import EXACT, Subject, with_schedule
from duet.verify.refute import failing
from duet.verify.search import Proof
from tests.c.annotations import AnnotatedProgram, Annotation, Expected, bundled, name
from tests.verify.test_bundled import options_of

MEMORY = 3000  # MiB for one program


@dataclass(frozen=True)
class Decided:
    """What became of an annotated line: `how` is proved, exact, run, model, or open; in seconds of the processor."""

    program: str
    line: int
    expected: Expected
    how: str
    seconds: float
    told: str = ""
    is_undefined: bool = False


@dataclass(frozen=True)
class Limits:
    """Seconds of the processor for each proof and each schedule.

    With `unsafe_proofs` seconds it is tried to prove what fails, too. With `has_runs` the program is run where what
    fails has no exact schedule. With `is_blind` the guesses of proofs are tested with no state at all, so that nothing
    hides a wrong one.
    """

    proof: float = 15.0
    schedule: float = 10.0
    unsafe_proofs: float = 0.0
    has_runs: bool = False
    is_blind: bool = False


def decided(
    seconds: Limits, jobs: int, wanted: Sequence[str] = (), expected: Sequence[Expected] = ()
) -> Iterator[Decided]:
    """The annotated lines that are open, of all bundled programs or of those whose names start with a wanted one."""
    programs = [
        program
        for program in bundled()
        if any(program.lines(kind) for kind in expected or tuple(Expected))
        and (not wanted or any(name(program).startswith(start) for start in wanted))
    ]
    with ThreadPoolExecutor(jobs) as pool:
        for rows in pool.map(lambda program: _apart(program, seconds, expected), programs):
            yield from rows


def _apart(program: AnnotatedProgram, seconds: Limits, expected: Sequence[Expected]) -> list[Decided]:
    """The rows of one program, worked out in a process of its own."""
    outcome, _ = limits.run(lambda _: _measured(program, seconds, expected), None, MEMORY)
    match outcome:
        case limits.Finished(rows):
            return rows
        case limits.Exceeded(_, message) | limits.Failed(message):
            return [Decided(name(program), 0, Expected.UNKNOWN, "no answer", 0.0, message)]


def _measured(program: AnnotatedProgram, seconds: Limits, expected: Sequence[Expected]) -> list[Decided]:
    """The rows of one program, with seconds of the processor: what else the machine does changes nothing."""
    with patch("duet.deadline.now", process_time):
        return list(_rows(program, seconds, expected))


def _rows(program: AnnotatedProgram, seconds: Limits, expected: Sequence[Expected]) -> Iterator[Decided]:
    job = Job((str(program.path),), options_of(program), AnalysisOptions(timeout=60.0, verify=False))
    run = perform(job, lambda _: None)
    found = read(job.files, job.frontend, Clock())
    subject = subject_of(job, found, _analysis(found))
    for annotation in program.annotations:
        kind = annotation.expected
        left = [a for a in run.assertions if a.status is Status.UNPROVED and annotation.line in _lines(a)]
        if kind is not Expected.UNSAFE:
            left = [assertion for assertion in left if not assertion.accesses]
        if left and kind is not Expected.UNREACHABLE and (not expected or kind in expected):
            yield from _decided(_Line(program, annotation, job, run, tuple(left)), subject, seconds)


@dataclass(frozen=True)
class _Line:
    program: AnnotatedProgram
    annotation: Annotation
    job: Job
    run: Run
    left: tuple[Assertion, ...]

    def row(self, how: str, start: float, told: str = "") -> Decided:
        here, seconds = self.annotation, process_time() - start
        return Decided(name(self.program), here.line, here.expected, how, seconds, told, here.is_undefined)


def _lines(assertion: Assertion) -> set[int]:
    return {assertion.check.line, *(access.stack[-1].line for access in assertion.accesses)}


def _decided(line: _Line, subject: Subject, seconds: Limits) -> Iterator[Decided]:
    start = process_time()
    is_unsafe = line.annotation.expected is Expected.UNSAFE
    time = seconds.unsafe_proofs if is_unsafe else seconds.proof
    checks = [assertion.check for assertion in line.left if not assertion.accesses]
    proved = _proofs(subject, checks, time, seconds.is_blind) if time else {}
    if proved and len(proved) == len(line.left):
        yield line.row("proved", start, f"{'+'.join(str(len(proof.cubes)) for proof in proved.values())} cubes")
    if is_unsafe or len(proved) < len(checks):
        start = process_time()
        known = _with_schedules(subject, line.left, seconds.schedule) if seconds.schedule else line.left
        if is_unsafe and seconds.has_runs and not _is_refuted(known):
            known = confirmed(replace(line.run, assertions=known), line.job.frontend)
        yield line.row(_how(known), start, "" if _is_refuted(known) else known[0].reason)


def _proofs(subject: Subject, checks: Sequence[Check], seconds: float, is_blind: bool) -> Mapping[Check, Proof]:
    with patch.object(decide, "wander", lambda *_: ()) if is_blind else nullcontext():
        return decide.proofs(subject, checks, Deadline.after(seconds * len(checks)))


def _with_schedules(subject: Subject, left: Sequence[Assertion], seconds: float) -> tuple[Assertion, ...]:
    checks = [assertion for assertion in left if not assertion.accesses]
    schedules = failing(subject.strict, [a.check for a in checks], Deadline.after(seconds * len(checks)))
    conflicts = [assertion for assertion in left if assertion.accesses]
    more = conflict_verdicts.decided(subject, conflicts, Deadline.after(2 * seconds * len(conflicts)))  # takes half
    return (*(with_schedule(assertion, subject, schedules) for assertion in checks), *more)


def _is_refuted(found: Sequence[Assertion]) -> bool:
    return any(assertion.status is Status.REFUTED for assertion in found)


def _how(found: Sequence[Assertion]) -> str:
    by = {assertion.confirmed for assertion in found if assertion.status is Status.REFUTED}
    if by:
        return EXACT if EXACT in by else RUN
    return "model" if any(assertion.schedule for assertion in found) else "open"


def _analysis(found: Input) -> Analysis:
    early = look(found.program, AnalysisOptions(), Deadline())
    return Analysis(early.rest, (), {}) if early.is_all else analyse(early.rest, AnalysisOptions(timeout=60.0))


def is_wrong(row: Decided) -> bool:
    """Whether what fails was proved, what is true refuted, or what is undefined exactly."""
    if row.expected is not Expected.UNSAFE:
        return row.how in (EXACT, RUN)
    return row.how == "proved" or (row.is_undefined and row.how == EXACT)


def table(rows: Sequence[Decided]) -> Table:
    """The rows, and how many of each kind."""
    result = Table(title="open checks of the bundled programs")
    for header in ("check", "truth", "found", "s", ""):
        result.add_column(header, justify="right" if header == "s" else "left")
    for row in rows:
        style = "bold red" if is_wrong(row) else ""
        result.add_row(
            f"{row.program}:{row.line}", row.expected, row.how, f"{row.seconds:.1f}", escape(row.told), style=style
        )
    return result


def summary(rows: Sequence[Decided]) -> str:
    """How many of what is true were proved, how many of what fails refuted: by exact schedules, and after a run."""
    true = [row for row in rows if row.expected in (Expected.SAFE, Expected.UNKNOWN)]
    false = [row for row in rows if row.expected is Expected.UNSAFE and row.how != "proved"]
    defined = [row for row in false if not row.is_undefined]
    exact, run = (sum(row.how == how for row in defined) for how in (EXACT, RUN))
    return "\n".join(
        (
            f"true: {_share(sum(row.how == 'proved' for row in true), len(true))} proved",
            f"failing: {_share(exact, len(defined))} refuted exactly, {_share(exact + run, len(defined))} after a run",
            f"failing where C is undefined, so that no schedule is exact: {len(false) - len(defined)}",
            f"wrong: {sum(map(is_wrong, rows))}",
        )
    )


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / max(1, whole):.1%})"
