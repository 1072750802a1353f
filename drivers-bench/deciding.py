"""What `duet.verify` decides of the checks of the bundled programs that data flow graphs leave open.

Proofs and schedules are looked for one after the other, so that neither hides what the other one gets wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from rich.markup import escape
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # where the tests' annotations are found

from duet import limits
from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.early import look
from duet.coarsen.results import Analysis
from duet.deadline import Deadline
from duet.options import UNDEFINED, AnalysisOptions
from duet.reading import Input, read
from duet.result import Check
from duet.verify.decide import Subject, proofs
from duet.verify.refute import failing
from tests.c.annotations import AnnotatedProgram, Expected, bundled, name
from tests.verify.test_bundled import options_of

MEMORY = 3000  # MiB for one program


@dataclass(frozen=True)
class Decided:
    """What became of an annotated line: `how` is proved, exact, model, or open, after so many seconds."""

    program: str
    line: int
    expected: Expected
    how: str
    seconds: float
    told: str = ""


@dataclass(frozen=True)
class Limits:
    """Seconds for each proof and for each schedule; with `unsafe_proofs` what fails is tried to be proved, too."""

    proof: float = 15.0
    schedule: float = 10.0
    unsafe_proofs: float = 0.0


def decided(seconds: Limits, jobs: int, wanted: Sequence[str] = (), expected: Sequence[Expected] = ()) -> list[Decided]:
    """The annotated lines that are open, of all bundled programs or of those whose names start with a wanted one."""
    programs = [
        program
        for program in bundled()
        if any(program.lines(kind) for kind in expected or tuple(Expected))
        and (not wanted or any(name(program).startswith(start) for start in wanted))
    ]
    with ThreadPoolExecutor(jobs) as pool:
        found = pool.map(lambda program: _apart(program, seconds, expected), programs)
        return [row for rows in found for row in rows]


def _apart(program: AnnotatedProgram, seconds: Limits, expected: Sequence[Expected]) -> list[Decided]:
    """The rows of one program, worked out in a process of its own."""
    outcome, _ = limits.run(lambda _: list(_rows(program, seconds, expected)), None, MEMORY)
    match outcome:
        case limits.Finished(rows):
            return rows
        case limits.Exceeded(_, message) | limits.Failed(message):
            return [Decided(name(program), 0, Expected.UNKNOWN, "no answer", 0.0, message)]


def _rows(program: AnnotatedProgram, seconds: Limits, expected: Sequence[Expected]) -> Iterator[Decided]:
    options = options_of(program)
    found = read((str(program.path),), options, Clock())
    analysis = _analysis(found)
    strict = read((str(program.path),), replace(options, properties=(*options.properties, *UNDEFINED)), Clock()).program
    for annotation in program.annotations:
        kind = annotation.expected
        checks = [check for check in found.checks if check.line == annotation.line and check not in found.unknown]
        left = [check for check in checks if _is_open(analysis, check)]
        if not left or kind is Expected.UNREACHABLE or (expected and kind not in expected):
            continue
        start = perf_counter()
        time = seconds.unsafe_proofs if kind is Expected.UNSAFE else seconds.proof
        subject = Subject(found.program, found.program, analysis)
        proved = proofs(subject, left, Deadline.after(time * len(left))) if time else {}
        if len(proved) == len(left):
            cubes = "+".join(str(len(proof.cubes)) for proof in proved.values())
            yield Decided(name(program), annotation.line, kind, "proved", perf_counter() - start, f"{cubes} cubes")
        if kind is Expected.UNSAFE or len(proved) < len(left):
            start = perf_counter()
            schedules = failing(strict, left, Deadline.after(seconds.schedule * len(left)))
            doubts = [schedule.doubt for schedule in schedules.values()]
            how = "open" if not doubts else "exact" if not all(doubts) else "model"
            told = "" if how != "model" else doubts[0]
            yield Decided(name(program), annotation.line, kind, how, perf_counter() - start, told)


def _analysis(found: Input) -> Analysis:
    early = look(found.program, AnalysisOptions(), Deadline())
    return Analysis(early.rest, (), {}) if early.is_all else analyse(early.rest, AnalysisOptions(timeout=60.0))


def _is_open(analysis: Analysis, check: Check) -> bool:
    return any(check in fixpoint.verdicts for fixpoint in analysis.fixpoints) and not analysis.status_of(check).is_safe


def is_wrong(row: Decided) -> bool:
    """Whether what fails was proved, or what is true refuted."""
    return row.how == ("proved" if row.expected is Expected.UNSAFE else "exact")


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
    """How many of what is true were proved, how many of what fails refuted."""
    true = [row for row in rows if row.expected in (Expected.SAFE, Expected.UNKNOWN)]
    false = [row for row in rows if row.expected is Expected.UNSAFE and row.how != "proved"]
    wrong = sum(map(is_wrong, rows))
    proved = sum(row.how == "proved" for row in true)
    refuted = sum(row.how == "exact" for row in false)
    return f"true: {proved} of {len(true)} proved; failing: {refuted} of {len(false)} refuted exactly; wrong: {wrong}"
