"""How proofs with cubes and schedules grow with programs, beside a bounded model checker where there is one.

The programs are clients of a busy flag, which one of them sets at a time: with more and more threads, up to any number
(`any`); with more globals that each client sets and the check compares; with more steps between. Each comes once as it
should be and once with a flag that is tested and set in two steps.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter

from rich.table import Table

from duet import limits
from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.deadline import Deadline
from duet.options import AnalysisOptions, FrontendOptions
from duet.plip.blocks import blocks
from duet.plip.sliced import sliced
from duet.plip.syntax import Assert, Program
from duet.reading import read
from duet.result import Check
from duet.verify.any_number import any_number
from duet.verify.decide import Subject, proofs
from duet.verify.explore import explore
from duet.verify.room import Bounds
from duet.verify.samples import samples_of
from duet.verify.search import Proof

MEMORY = 2000  # MiB for one program
THREADS = (2, 4, 8, 16, 32, 64, 0)
GLOBALS = (1, 2, 4, 8, 16)
LENGTHS = (1, 4, 16, 64)


@dataclass(frozen=True, slots=True)
class Size:
    """How large a program is: `threads` clients, any number for 0; `cells` globals; `steps` between."""

    threads: int = 3
    cells: int = 1
    steps: int = 1
    is_right: bool = True

    def __str__(self) -> str:
        parts = [f"{self.threads or 'any'} threads", f"{self.cells} globals", f"{self.steps} steps"]
        return ", ".join([*parts, "right" if self.is_right else "wrong"])


@dataclass(frozen=True, slots=True)
class Row:
    """What became of a program, and what it cost; what another checker said of it, and its seconds."""

    size: Size
    locations: int = 0
    graphs: float = 0.0
    found: str = "no answer"
    seconds: float = 0.0
    cubes: int = 0
    queries: int = 0
    states: int = 0
    other: str = ""
    other_seconds: float = 0.0


def sizes(
    threads: Sequence[int] = THREADS, cells: Sequence[int] = GLOBALS, steps: Sequence[int] = LENGTHS
) -> list[Size]:
    """The programs in which one thing grows, each right and wrong."""
    growing = [*(Size(threads=n) for n in threads), *(Size(cells=n) for n in cells), *(Size(steps=n) for n in steps)]
    return [
        Size(size.threads, size.cells, size.steps, is_right)
        for size in dict.fromkeys(growing)
        for is_right in (True, False)
    ]


def text(size: Size) -> str:
    """The program in C."""
    names = [f"cell{number}" for number in range(size.cells)]
    lines = ["#include <assert.h>", "#include <pthread.h>"]
    lines += ["extern void __VERIFIER_atomic_begin(void);", "extern void __VERIFIER_atomic_end(void);"]
    lines += [f"static int busy, step, {', '.join(names)};", "static void *client(void *unused) {", "    int mine = 0;"]
    enter = ["if (busy == 0) {", "    busy = 1; mine = 1;", "}"]
    lines += [
        f"    {line}"
        for line in (["__VERIFIER_atomic_begin();", *enter, "__VERIFIER_atomic_end();"] if size.is_right else enter)
    ]
    lines += ["    if (mine == 1) {", *(f"        {name} = 4;" for name in names)]
    lines += (f"        step = {number % 3};" for number in range(size.steps))
    lines += [f"        assert({' && '.join(f'{name} == 4' for name in names)});"]
    lines += [*(f"        {name} = 0;" for name in names), "        busy = 0;", "    }", "    return 0;", "}"]
    count = size.threads or 1
    lines += ["int main(void) {", f"    pthread_t t[{count}];"]
    lines += (f"    pthread_create(&t[{number}], 0, client, 0);" for number in range(count))
    return "\n".join([*lines, "    return 0;", "}", ""])


def rows(wanted: Sequence[Size], seconds: float, checker: str = "") -> Iterator[Row]:
    """Each program, decided within so many seconds; by the `checker`, too, if there is the path of one."""
    with tempfile.TemporaryDirectory() as directory:
        for number, size in enumerate(wanted):
            path = Path(directory, f"program{number}.c")
            path.write_text(text(size), encoding="utf-8")
            outcome, _ = limits.run(partial(_row, path, size, seconds), 3 * seconds + 30, MEMORY)
            row = outcome.value if isinstance(outcome, limits.Finished) else Row(size)
            other, spent = _asked(checker, path, seconds) if checker and size.threads else ("", 0.0)
            yield replace(row, other=other, other_seconds=spent)


def _row(path: Path, size: Size, seconds: float, announce: Callable[[Row], None]) -> Row:
    del announce  # there is nothing to tell before the end
    start = perf_counter()
    program = read((str(path),), FrontendOptions(parameterized=not size.threads), Clock()).program
    (check,) = {c.instruction.check for c in program.commands if isinstance(c.instruction, Assert)}
    whole = replace(_proved(program, check, seconds) if size.is_right else _refuted(program, check, seconds), size=size)
    return replace(whole, locations=len(program.template_of), seconds=perf_counter() - start - whole.graphs)


def _refuted(program: Program, check: Check, seconds: float) -> Row:
    small = sliced(program, {check})
    seen = explore(blocks(small).program, {check}, samples_of(small), Bounds(), Deadline.after(seconds))
    return Row(Size(), found="refuted" if seen.executions else "open", states=seen.states)


def _proved(program: Program, check: Check, seconds: float) -> Row:
    """A proof for any number of equal threads, or else of the program as it is."""
    options = AnalysisOptions(domain="interval", timeout=seconds)
    known: dict[Check, Proof] = {}

    def prover(subject: Subject, checks: Sequence[Check]) -> Mapping[Check, Proof]:
        known.update(proofs(subject, checks, Deadline.after(seconds)))
        return known

    any_number(program, options, prover=prover)
    graphs = 0.0
    if not known:
        start = perf_counter()
        analysis = analyse(program, options)
        graphs = perf_counter() - start
        prover(Subject(program, program, analysis), [check])
    found = known.get(check)
    if found is None:
        return Row(Size(), graphs=graphs, found="open")
    return Row(Size(), graphs=graphs, found="proved", cubes=len(found.cubes), queries=found.queries)


def _asked(checker: str, path: Path, seconds: float) -> tuple[str, float]:
    """What a bounded model checker with the options of ESBMC says, and how long it took."""
    start = perf_counter()
    command = [checker, str(path), "--unwind", "2", "--no-unwinding-assertions", "--memlimit", f"{MEMORY}m"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return "no answer", seconds
    told = done.stdout + done.stderr
    found = "fails" if "VERIFICATION FAILED" in told else "holds" if "VERIFICATION SUCCESSFUL" in told else "error"
    return found, perf_counter() - start


def is_wrong(row: Row) -> bool:
    """Whether something is decided wrongly."""
    return row.found == ("refuted" if row.size.is_right else "proved")


def table(found: Sequence[Row], checker: str) -> Table:
    """The rows; those of the other checker beside them."""
    result = Table(title="growth of proofs and schedules (clients of a busy flag)")
    result.add_column("program")
    headers = ["loc", "graphs s", "found", "s", "cubes", "queries", "states"]
    for header in [*headers, *([f"{Path(checker).name}", "s"] if checker else [])]:
        result.add_column(header, justify="right")
    for row in found:
        counts = [str(count) if count else "" for count in (row.cubes, row.queries, row.states)]
        cells = [str(row.locations), f"{row.graphs:.1f}", row.found, f"{row.seconds:.2f}", *counts]
        other = [row.other, f"{row.other_seconds:.1f}" if row.other else ""] if checker else []
        result.add_row(str(row.size), *cells, *other, style="bold red" if is_wrong(row) else "")
    return result
