"""`make bench`: what the analysis costs per program and stage, and how that grows with the program.

    bench.py programs [DIRECTORY...]    every bundled C program
    bench.py growth [--sizes 300,1000]  generated drivers, with the slope of time against size
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
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import click
import suite as drivers
from generate import driver
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = (ROOT / "tests" / "c", ROOT / "drivers-bench" / "drivers")
SIZES = "300,1000,3000,8000,20000"
READING = ("preprocess", "parse")
TARGET_FACTOR = 10.0
TARGET_SLOPE = 1.5


@dataclass(frozen=True)
class Measurement:
    """One run: `timing` in seconds by stage, counts in `stats`, verdicts in `summary`."""

    program: str
    status: str
    timing: dict[str, float] = field(default_factory=dict)
    stats: dict[str, int] = field(default_factory=dict)
    summary: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> float:
        return self.timing.get("total", 0.0)

    @property
    def factor(self) -> float:
        """The total as a multiple of preprocessing and parsing."""
        reading = sum(self.timing.get(stage, 0.0) for stage in READING)
        return self.total / reading if reading else math.nan


def measure(path: Path, arguments: list[str], timeout: float, name: str = "") -> Measurement:
    """The run of one program."""
    command = [sys.executable, "-m", "duet", "analyze", "--format", "json", "--timeout", f"{timeout:g}"]
    done = subprocess.run([*command, *arguments, str(path)], capture_output=True, text=True, check=False, cwd=ROOT)
    name = name or str(path.relative_to(ROOT))
    try:
        report: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return Measurement(name, f"exit code {done.returncode}")
    return Measurement(name, report["status"], report["timing"], report["stats"], report["summary"])


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
    headers = ("loc", "intra", "inter", "rounds", *stages, "total s", "x read", "MiB", "proved", "of")
    for header in headers:
        result.add_column(header, justify="right")
    for m in found:
        if m.status != "complete":
            result.add_row(m.program, m.status)
            continue
        counts = [str(m.stats.get(key, 0)) for key in ("locations", "flows_intra", "flows_inter", "rounds")]
        times = [f"{m.timing.get(stage, 0.0):.3f}" for stage in stages]
        safe = m.summary["proved"] + m.summary["unreachable"]
        ends = [f"{m.total:.3f}", f"{m.factor:.1f}", str(m.stats.get("peak_rss_mib", 0)), str(safe)]
        result.add_row(m.program, *counts, *times, *ends, str(m.summary["total"]))
    return result


def save(path: str | None, what: str, found: list[Measurement], extra: dict[str, float]) -> None:
    """Writes the measurements for machines, if asked to."""
    if path is not None:
        document = {"bench": what, "measurements": [asdict(m) for m in found], **extra}
        Path(path).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


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
    save(path, "programs", found, {"total": total, "factor": total / reading})


@bench.command()
@click.option("--sizes", default=SIZES, show_default=True, help="Locations, about.")
@click.option("--devices", default=1, show_default=True, help="Locks with their flags in each program.")
@click.option("--domain", default="interval", show_default=True)
@click.option("--timeout", default=600.0, show_default=True, help="Seconds per program.")
@click.option("--json", "path", help="Also write the measurements there.")
def growth(sizes: str, devices: int, domain: str, timeout: float, path: str | None) -> None:
    """Measure generated drivers of growing size."""
    console = Console(width=None if sys.stdout.isatty() else 190)
    found: list[Measurement] = []
    with tempfile.TemporaryDirectory() as directory:
        for size in (int(text) for text in sizes.split(",")):
            program = Path(directory, f"driver_{size}.c")
            program.write_text(driver(size, devices), encoding="utf-8")
            options = ["--parameterized", "--entries", "all", "--init", "init", "--domain", domain]
            found.append(measure(program, options, timeout, f"driver {size}"))
    console.print(table(found, f"growth ({domain}): seconds per stage"))
    done = [m for m in found if m.status == "complete"]
    exponent = slope((m.stats["locations"], m.total) for m in done)
    console.print(f"total time grows as locations^{exponent:.2f} (aim: at most {TARGET_SLOPE:g})")
    for stage in dict.fromkeys(stage for m in done for stage in m.timing if stage != "total"):
        console.print(f"  {stage}: {slope((m.stats['locations'], m.timing.get(stage, 0.0)) for m in done):.2f}")
    save(path, "growth", found, {"slope": exponent})


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
