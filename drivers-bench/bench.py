"""`make bench`: what the analysis costs per program and stage, and how that grows with the program.

    bench.py programs [DIRECTORY...]    every bundled C program: cost, and verdicts against annotations by topic
    bench.py verdicts [DIRECTORY...]    verdicts against annotations by domain, with and without refinement
    bench.py growth [--family NAME]     generated programs, with the slope of time against size
    bench.py verify [PROGRAM...]        proofs with cubes and schedules for what data flow graphs leave open
    bench.py verify --growth            the same of generated programs that grow, beside a bounded model checker
    bench.py real [PROGRAM...]          real programs, beside Clang's and GCC's analyzers
    bench.py suite [--domain auto]      the Linux drivers, beside the numbers that DUET published

Nothing is asserted: it prints what it measures, and with `--json PATH` writes it down.
"""

from __future__ import annotations

import json
import math
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import click
import deciding
import real as real_programs
import scaling
import suite as drivers
import verdicts as annotated
from generate import FAMILIES
from progress import Told
from rich.console import Console
from rich.table import Table

from tests.c.annotations import Expected
from tests.c.annotations import load as load_annotated

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = (ROOT / "tests" / "c", ROOT / "drivers-bench" / "drivers")
READING = ("preprocess", "parse")
TARGET_FACTOR = 10.0
TARGET_SLOPE = 1.5
INTERRUPTED = 130
"""The exit code of what the user has interrupted."""


@dataclass(frozen=True)
class Measurement:
    """One run: `timing` in seconds by stage, counts in `stats`, verdicts in `summary` and one by one in `checks`."""

    program: str
    status: str
    timing: dict[str, float] = field(default_factory=dict)
    stats: dict[str, int] = field(default_factory=dict)
    summary: dict[str, int] = field(default_factory=dict)
    checks: list[dict[str, Any]] = field(default_factory=list, repr=False)

    @property
    def total(self) -> float:
        return self.timing.get("total", 0.0)

    @property
    def milliseconds_per_location(self) -> float:
        return 1000 * self.total / max(self.stats.get("locations", 0), 1)

    @property
    def kibibytes_per_location(self) -> float:
        return 1024 * self.stats.get("peak_rss_mib", 0) / max(self.stats.get("locations", 0), 1)

    @property
    def factor(self) -> float:
        """The total as a multiple of preprocessing and parsing."""
        reading = sum(self.timing.get(stage, 0.0) for stage in READING)
        return self.total / reading if reading else math.nan


def measure(path: Path, arguments: list[str], timeout: float, name: str = "") -> Measurement:
    """The run of one program."""
    command = [sys.executable, "-m", "duet", "analyze", "--no-verify", "--format", "json", "--timeout", f"{timeout:g}"]
    done = subprocess.run([*command, *arguments, str(path)], capture_output=True, text=True, check=False, cwd=ROOT)
    name = name or str(path.relative_to(ROOT))
    try:
        report: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return Measurement(name, f"exit code {done.returncode}")
    found = report["status"], report["timing"], report["stats"], report["summary"], report["assertions"]
    return Measurement(name, *found)


def arguments_of(path: Path) -> list[str]:
    """The options that a program asks for: in its first line, `// ARGS: ...`; drivers take the kernel model."""
    with path.open(encoding="utf-8", errors="replace") as file:
        first = file.readline()
    if first.startswith("// ARGS:"):
        return shlex.split(first.removeprefix("// ARGS:"))
    return ["--model", "linux"] if "drivers" in path.parts else []


def slope(points: Iterable[tuple[float, float]]) -> float:
    """The exponent of the best power law through (size, seconds), by least squares on logarithms."""
    logs = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    if len(logs) < 2:
        return math.nan
    middle_x = sum(x for x, _ in logs) / len(logs)
    middle_y = sum(y for _, y in logs) / len(logs)
    spread = sum((x - middle_x) ** 2 for x, _ in logs)
    return sum((x - middle_x) * (y - middle_y) for x, y in logs) / spread if spread else math.nan


def table(found: list[Measurement], title: str) -> Table:
    """The measurements, one row each."""
    stages = list(dict.fromkeys(stage for m in found for stage in m.timing if stage != "total"))
    result = Table(title=title)
    result.add_column("program", overflow="fold")
    headers = (
        "loc",
        "intra",
        "inter",
        "rounds",
        *stages,
        "total s",
        "ms/loc",
        "x read",
        "MiB",
        "KiB/loc",
        "proved",
        "of",
    )
    for header in headers:
        result.add_column(header, justify="right")
    for m in found:
        if m.status != "complete":
            result.add_row(m.program, m.status)
            continue
        counts = [str(m.stats.get(key, 0)) for key in ("locations", "flows_intra", "flows_inter", "rounds")]
        times = [f"{m.timing.get(stage, 0.0):.3f}" for stage in stages]
        safe = m.summary["proved"] + m.summary["unreachable"]
        cost = [f"{m.total:.3f}", f"{m.milliseconds_per_location:.1f}", f"{m.factor:.1f}"]
        ends = [*cost, str(m.stats.get("peak_rss_mib", 0)), f"{m.kibibytes_per_location:.0f}", str(safe)]
        result.add_row(m.program, *counts, *times, *ends, str(m.summary["total"]))
    return result


def save(path: str | None, what: str, found: list[Measurement], extra: dict[str, float]) -> None:
    """Writes the measurements for machines, if asked to."""
    if path is not None:
        document = {"bench": what, "measurements": [_without_checks(m) for m in found], **extra}
        Path(path).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def _without_checks(measurement: Measurement) -> dict[str, Any]:
    return {key: value for key, value in asdict(measurement).items() if key != "checks"}


def _programs(directories: tuple[str, ...]) -> Iterator[Path]:
    for directory in directories or PROGRAMS:
        for path in sorted(Path(directory).resolve().rglob("*.c")):
            if "runtime" not in path.parts:  # what the programs are linked with, not programs
                yield path


@click.group()
def bench() -> None:
    """Measure duet."""


@bench.command()
@click.argument("directories", nargs=-1)
@click.option("--timeout", default=120.0, show_default=True, help="Seconds per program.")
@click.option("--json", "path", help="Also write the measurements there.")
def programs(directories: tuple[str, ...], timeout: float, path: str | None) -> None:
    """Measure every C program, by default all bundled ones."""
    console = Console(width=None if sys.stdout.isatty() else 190)
    found = [measure(program, arguments_of(program), timeout) for program in _programs(directories)]
    console.print(table(found, "programs: seconds per stage"))
    done = [m for m in found if m.status == "complete"]
    if not done:
        console.print(f"0 of {len(found)} programs finished")
        return
    reading = sum(m.timing.get(stage, 0.0) for m in done for stage in READING)
    total = sum(m.total for m in done)
    within = sum(m.factor <= TARGET_FACTOR for m in done)
    console.print(
        f"{len(done)} of {len(found)} programs finished; {total:.2f} s in all, {total / reading:.1f} times "
        f"preprocessing and parsing (aim: under {TARGET_FACTOR:g}; {within} programs are)"
    )
    by_topic = annotated.scores((ROOT / m.program, m.checks) for m in done)
    console.print(annotated.table(by_topic, "verdicts against annotations, by topic"))
    save(path, "programs", found, {"total": total, "factor": total / reading})


@bench.command()
@click.argument("directories", nargs=-1)
@click.option("--domain", "domains", multiple=True, help="Default: interval, octagon and auto, one after the other.")
@click.option("--timeout", default=120.0, show_default=True, help="Seconds per program.")
@click.option("-j", "--jobs", default=2, show_default=True, help="Programs at a time.")
def verdicts(directories: tuple[str, ...], domains: tuple[str, ...], timeout: float, jobs: int) -> None:
    """Compare verdicts with annotations by domain, with and without refinement. Exit code 1 if one is unsound.

    It says how far it is, and where it is interrupted it prints what it has.
    """
    console = Console(width=None if sys.stdout.isatty() else 190)
    paths = [path for path in _programs(directories) if load_annotated(path).annotations]
    settings = [
        [name, *extra] for name in domains or ("interval", "octagon", "auto") for extra in (["--no-refine"], [])
    ]
    rows: dict[str, annotated.Score] = {}
    classes: Mapping[str, annotated.Score] = {}
    is_over = False
    with Told(len(paths) * len(settings)) as told:
        for setting in settings:
            found: list[Measurement] = []
            try:
                for run in _measured(paths, ["--domain", *setting], timeout, jobs):
                    found.append(run)
                    told.ended(f"{run.program} {' '.join(setting)}")
            except KeyboardInterrupt:
                is_over = True
            classes = annotated.scores((ROOT / m.program, m.checks) for m in found if m.status == "complete")
            of_all = f" ({len(found)} of {len(paths)})" if is_over else ""
            rows[" ".join(setting) + of_all] = sum(classes.values(), annotated.Score())
            if is_over:
                break
    console.print(annotated.table(rows, "verdicts against annotations, by configuration"))
    console.print(annotated.table(classes, "verdicts against annotations by class, in the last configuration"))
    sys.exit(1 if any(row.unsafe_proved for row in rows.values()) else INTERRUPTED if is_over else 0)


def _measured(paths: Iterable[Path], options: list[str], timeout: float, jobs: int) -> Iterator[Measurement]:
    """The runs of programs with some options, as they end."""
    with ThreadPoolExecutor(jobs) as pool:
        runs = [pool.submit(measure, path, arguments_of(path) + options, timeout) for path in paths]
        try:
            yield from (run.result() for run in as_completed(runs))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@bench.command()
@click.option("--family", "names", multiple=True, type=click.Choice(sorted(FAMILIES)), help="Default: all of them.")
@click.option("--sizes", help="What grows, comma-separated; the default depends on the family.")
@click.option("--devices", default=1, show_default=True, help="Locks with their flags in each driver.")
@click.option("--domain", default="interval", show_default=True)
@click.option("--timeout", default=600.0, show_default=True, help="Seconds per program.")
@click.option("--json", "path", help="Also write the measurements there.")
def growth(
    names: tuple[str, ...], sizes: str | None, devices: int, domain: str, timeout: float, path: str | None
) -> None:
    """Measure generated programs of growing size."""
    console = Console(width=None if sys.stdout.isatty() else 190)
    everything: list[Measurement] = []
    slopes: dict[str, float] = {}
    for name in names or FAMILIES:
        family = FAMILIES[name]
        found: list[Measurement] = []
        with tempfile.TemporaryDirectory() as directory:
            for size in (int(text) for text in sizes.split(",")) if sizes else family.sizes:
                program = Path(directory, f"{name}_{size}.c")
                program.write_text(family.text(size, devices), encoding="utf-8")
                found.append(measure(program, [*family.options, "--domain", domain], timeout, f"{name} {size}"))
        console.print(table(found, f"{name} ({family.grows}, {domain}): seconds per stage"))
        done = [m for m in found if m.status == "complete"]
        slopes[name] = slope((m.stats["locations"], m.total) for m in done)
        memory = slope((m.stats["locations"], m.stats.get("peak_rss_mib", 0)) for m in done)
        console.print(
            f"{name}: total time grows as locations^{slopes[name]:.2f} (aim: at most {TARGET_SLOPE:g}), between the "
            f"two largest ^{slope((m.stats['locations'], m.total) for m in done[-2:]):.2f}; memory ^{memory:.2f}"
        )
        for stage in dict.fromkeys(stage for m in done for stage in m.timing if stage != "total"):
            exponent = slope((m.stats["locations"], m.timing.get(stage, 0.0)) for m in done)
            console.print(f"  {stage}: {exponent:.2f}")
        everything += found
    save(path, "growth", everything, slopes)


@bench.command()
@click.argument("programs", nargs=-1)
@click.option("--proof", default=15.0, show_default=True, help="Seconds of the processor for each proof.")
@click.option("--schedule", default=10.0, show_default=True, help="Seconds of the processor for each schedule.")
@click.option("--unsafe-proofs", default=0.0, help="Seconds in which to try to prove what fails.")
@click.option("--blind", "is_blind", is_flag=True, help="Guesses of proofs are tested with no state at all.")
@click.option("--run", "has_runs", is_flag=True, help="Run the program where what fails has no exact schedule.")
@click.option("--expected", multiple=True, type=click.Choice([*Expected]), help="Only lines with this annotation.")
@click.option("-j", "--jobs", default=2, show_default=True, help="Programs at a time.")
@click.option("--growth", "is_growing", is_flag=True, help="Generated programs of growing size instead.")
@click.option("--checker", default="", metavar="PATH", help="With --growth: a bounded model checker (ESBMC) beside it.")
@click.option("--json", "path", help="Also write the measurements there.")
def verify(
    programs: tuple[str, ...],
    proof: float,
    schedule: float,
    unsafe_proofs: float,
    is_blind: bool,
    has_runs: bool,
    expected: tuple[Expected, ...],
    jobs: int,
    is_growing: bool,
    checker: str,
    path: str | None,
) -> None:
    """Decide what data flow graphs leave open in the bundled programs. Exit code 1 if something is decided wrongly."""
    console = Console(width=None if sys.stdout.isatty() else 150)
    if is_growing:
        measured = list(scaling.rows(scaling.sizes(), proof, checker))
        console.print(scaling.table(measured, checker))
        if path is not None:
            Path(path).write_text(json.dumps([asdict(row) for row in measured], indent=1) + "\n", encoding="utf-8")
        sys.exit(1 if any(map(scaling.is_wrong, measured)) else 0)
    kinds = tuple(map(Expected, expected))
    seconds = deciding.Limits(proof, schedule, unsafe_proofs, has_runs, is_blind)
    rows: list[deciding.Decided] = []
    for row in deciding.decided(seconds, jobs, programs, kinds):
        rows.append(row)
        if path is not None:  # what is known so far, since all of it takes long
            Path(path).write_text(json.dumps([asdict(it) for it in rows], indent=1) + "\n", encoding="utf-8")
    console.print(deciding.table(rows))
    console.print(deciding.summary(rows))
    sys.exit(1 if any(deciding.is_wrong(row) for row in rows) else 0)


@bench.command()
@click.argument("names", nargs=-1)
@click.option("--timeout", default=300.0, show_default=True, help="Seconds on the clock for each run of duet.")
@click.option("--memory", default=6000, show_default=True, help="MiB for each run of duet.")
@click.option("--again", is_flag=True, help="Measure what has been measured at this revision, too.")
@click.option(
    "--results", default=str(real_programs.CACHE / "results.json"), show_default=True, help="Where they are kept."
)
def real(names: tuple[str, ...], timeout: float, memory: int, again: bool, results: str) -> None:
    """Measure real programs, beside other analyzers, and print all measurements as a table in Markdown."""
    _, listed, properties = real_programs.programs()
    if unknown := sorted(set(names) - {program.name for program in listed}):
        raise click.UsageError(f"not in the list: {', '.join(unknown)}")
    path, revision = Path(results), real_programs.revision()
    found = real_programs.load(path)
    for program in listed:
        is_known = program.name in found and found[program.name].revision == revision
        if (names and program.name not in names) or (is_known and not again):
            continue
        if not program.is_there():
            click.echo(f"{program.name} is not there: run drivers-bench/fetch --real", err=True)
            continue
        click.echo(f"{program.name}...", err=True)
        found[program.name] = real_programs.measure(program, properties, timeout, memory)
        real_programs.save(path, found)
    click.echo(real_programs.table({program.name: found[program.name] for program in listed if program.name in found}))


@bench.command()
@click.option("--set", "names", default="table31,extension", show_default=True, help="Sets in drivers-bench/sets.")
@click.option("--domain", "domains", multiple=True, help="Default: interval, octagon and auto, one after the other.")
@click.option("--descriptors", default="shared", show_default=True, type=click.Choice(["shared", "private"]))
@click.option("-j", "--jobs", default=2, show_default=True, help="Drivers at a time.")
@click.option("--timeout", default=300.0, show_default=True, help="Seconds per driver.")
@click.option("--json", "path", help="Also write the results there.")
def suite(names: str, domains: tuple[str, ...], descriptors: str, jobs: int, timeout: float, path: str | None) -> None:
    """Analyse the suites of drivers in every configuration."""
    console = Console(width=None if sys.stdout.isatty() else 150)
    document: dict[str, Any] = {}
    for domain in domains or ("interval", "octagon", "auto"):
        start = perf_counter()
        every: list[drivers.Outcome] = []
        for found in drivers.suites(names.split(",")):
            outcomes = drivers.run_all(found.tasks, domain, descriptors, timeout, jobs)
            console.print(drivers.table(found, outcomes, domain))
            every += outcomes
        wall = perf_counter() - start
        console.print(drivers.reasons(every))
        stages = drivers.stages(every)
        spent = ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in stages.items() if seconds >= 0.05)
        finished = sum(outcome.status == "complete" for outcome in every)
        checks, safe = sum(len(o.checks) for o in every), sum(o.safe for o in every)
        console.print(
            f"{domain}: {finished} of {len(every)} drivers finished, {sum(o.warnings for o in every)} warnings; "
            f"{safe} of {checks} checks proved ({safe / max(checks, 1):.1%}); {wall:.1f} s wall with {jobs} at a time\n"
            f"  stages: {spent}\n"
        )
        document[domain] = {
            "wall": wall,
            "stages": stages,
            "drivers": {Path(o.task.files[0]).name: o.summary for o in every},
        }
    if path is not None:
        Path(path).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    bench()
