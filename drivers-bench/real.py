"""Real programs: what the analysis costs and decides, beside Clang's and GCC's analyzers on the same files.

`sets/real.toml` lists them; `fetch --real` gets them. What was measured is kept, so that a measurement can go on later.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import pool

HERE = Path(__file__).resolve().parent
LIST = HERE / "sets" / "real.toml"
CACHE = HERE / "cache" / "real"
HEADERS = "@headers"
ANALYZERS = {
    "clang": ("clang", "--analyze", "--analyzer-output", "text"),
    "gcc": ("gcc", "-fanalyzer", "-c", "-o", os.devnull),
}
"""The commands of the other analyzers, for one file each."""

INSTALLED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""The environment of duet: what is installed has been compiled to bytecode, which takes a second of each run else."""


@dataclass(frozen=True, slots=True)
class Source:
    """An archive or package of a pool, by its checksum."""

    place: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Real:
    """A program of the list, see there."""

    name: str
    source: Source
    folder: str
    files: tuple[str, ...]
    without: tuple[str, ...] = ()
    listed: Mapping[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    written: Mapping[str, str] = field(default_factory=dict)
    configure: bool = False

    def paths(self, cache: Path) -> tuple[str, ...]:
        """The files to analyse, relative to the folder of the program."""
        folder = cache / self.folder
        found = {path for pattern in self.files for path in folder.glob(pattern)}
        found -= {path for pattern in self.without for path in folder.glob(pattern)}
        for makefile, directory in self.listed.items():
            words = (folder / makefile).read_text(encoding="utf-8").split()
            found |= {folder / directory / word for word in words if word.endswith(".c")}
        return tuple(sorted(os.path.relpath(path, folder) for path in found))

    def is_there(self, cache: Path = CACHE) -> bool:
        """Whether it was fetched."""
        return (cache / self.folder).is_dir() and bool(self.paths(cache))

    def options(self, cache: Path) -> tuple[str, ...]:
        """The flags of the preprocessor."""
        return tuple(flag.replace(HEADERS, str(cache / "headers" / "usr" / "include")) for flag in self.flags)


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command took, and how many files an analyzer for one file refused. *Units*: seconds of user time, MiB."""

    seconds: float
    memory: int
    refused: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """What a run of duet said: `half` is when half of what it proved was, in seconds on the clock, None if never."""

    cost: Cost
    status: str
    summary: Mapping[str, int]
    groups: int
    half: float | None
    commands: int | None

    @property
    def proved(self) -> int:
        return self.summary.get("proved", 0) + self.summary.get("unreachable", 0)

    @property
    def total(self) -> int:
        return self.summary.get("total", 0)


@dataclass(frozen=True, slots=True)
class Measured:
    """One program, all measured in one go at a revision of the sources."""

    revision: str
    files: int
    lines: int
    interval: Found
    default: Found
    clang: Cost
    gcc: Cost


def programs(path: Path = LIST) -> tuple[tuple[Source, ...], tuple[Real, ...], tuple[str, ...]]:
    """The headers, the programs and the properties of a list."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    headers = tuple(Source(**entry) for entry in data["headers"])
    return headers, tuple(_program(entry) for entry in data["program"]), tuple(data["properties"])


def _program(entry: dict[str, Any]) -> Real:
    source = Source(entry.pop("place"), entry.pop("sha256"))
    lists: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    return Real(source=source, **lists)


def fetch(source: str, cache: Path = CACHE) -> Iterator[str]:
    """Gets and unpacks everything in the list, with a line about each.

    What cannot be had is said, and the rest is fetched all the same.
    """
    headers, found, _ = programs()
    for package in headers:
        try:
            path = pool.package(package.sha256, package.place, source, cache / "packages")
            pool.unpack(path, cache / "headers")
            yield f"{path.name}: headers"
        except (pool.PoolError, subprocess.CalledProcessError, OSError) as error:
            yield f"missing: {error}"
    for program in found:
        try:
            path = pool.package(program.source.sha256, program.source.place, source, cache / "packages")
            with tarfile.open(path) as archive:
                archive.extractall(cache, filter="data")
            _configure(program, cache)
            yield f"{program.name}: {len(program.paths(cache))} files"
        except (pool.PoolError, subprocess.CalledProcessError, OSError, tarfile.TarError) as error:
            yield f"missing: {program.name}: {error}"


def _configure(program: Real, cache: Path) -> None:
    folder = cache / program.folder
    for name, text in program.written.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    if program.configure:
        subprocess.run(["./configure"], cwd=folder.parent, check=True, capture_output=True)


def measure(program: Real, properties: Sequence[str], timeout: float, memory: int, cache: Path = CACHE) -> Measured:
    """All that is measured of a program."""
    folder, files, flags = cache / program.folder, program.paths(cache), program.options(cache)
    shared = ["--system-headers", "--timeout", f"{timeout:g}", "--memory", str(memory)]
    asked = [*files, *flags, *shared, "--properties", ",".join(properties)]
    lines = sum((folder / file).read_bytes().count(b"\n") for file in files)
    return Measured(
        revision(),
        len(files),
        lines,
        _duet([*asked, "--domain", "interval"], folder),
        _duet(asked, folder),
        _analyzer("clang", files, flags, folder),
        _analyzer("gcc", files, flags, folder),
    )


def revision() -> str:
    """Which sources are measured: the commit, and whether they differ from it."""
    described = ["git", "describe", "--always", "--dirty"]
    return subprocess.run(described, cwd=HERE, capture_output=True, text=True, check=True).stdout.strip()


def _duet(arguments: Sequence[str], folder: Path) -> Found:
    with tempfile.TemporaryDirectory() as temporary:
        output = Path(temporary) / "result.json"
        command = [sys.executable, "-m", "duet", "analyze", *arguments, "--format", "json", "-o", str(output)]
        cost, _ = _run(command, folder, INSTALLED)
        report = json.loads(output.read_text(encoding="utf-8")) if output.exists() else {}
    return Found(
        cost,
        report.get("status", "nothing"),
        report.get("summary", {}),
        len(report.get("groups", ())),
        report.get("timing", {}).get("first half"),
        report.get("stats", {}).get("commands"),
    )


def _analyzer(name: str, files: Iterable[str], flags: Sequence[str], folder: Path) -> Cost:
    runs = [_run([*ANALYZERS[name], *flags, file], folder) for file in files]
    return Cost(
        sum(cost.seconds for cost, _ in runs),
        max(cost.memory for cost, _ in runs),
        sum(code != 0 for _, code in runs),
    )


def _run(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> tuple[Cost, int]:
    """What a command and the processes that it waited for took, and its exit code."""
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=folder, stdout=nowhere, stderr=nowhere, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(round(usage.ru_utime, 2), usage.ru_maxrss // 1024), process.returncode


def load(path: Path) -> dict[str, Measured]:
    """What was measured before, by program."""
    data = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {name: _measured(entry) for name, entry in data.items()}


def _measured(entry: dict[str, Any]) -> Measured:
    for key in ("interval", "default"):
        entry[key] = Found(**{**entry[key], "cost": Cost(**entry[key]["cost"])})
    return Measured(**{**entry, "clang": Cost(**entry["clang"]), "gcc": Cost(**entry["gcc"])})


def save(path: Path, found: Mapping[str, Measured]) -> None:
    """Keeps what was measured."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps({name: asdict(one) for name, one in found.items()}, indent=1), encoding="utf-8")
    part.replace(path)


HEADINGS = (
    "program", "files", "lines", "commands", "interval", "default", "Clang", "GCC", "default/Clang", "first half",
    "MiB", "checks", "proved", "open", "groups", "ended",
)  # fmt: skip


def table(found: Mapping[str, Measured]) -> str:
    """The measurements in Markdown, with a line of totals."""
    lines = [f"| {' | '.join(HEADINGS)} |", f"|{'---|' * len(HEADINGS)}"]
    lines += [f"| {' | '.join(_row(name, one))} |" for name, one in found.items()]
    ratios = [one.default.cost.seconds / one.clang.seconds for one in found.values() if one.clang.seconds]
    total, proved = (sum(getattr(one.default, key) for one in found.values()) for key in ("total", "proved"))
    if ratios and total:
        lines.append("")
        lines.append(
            f"Median of default/Clang: {median(ratios):.1f}; of {total} checks {proved} proved, "
            f"{100 * (total - proved) / total:.0f} % open. Revisions: "
            f"{', '.join(sorted({one.revision for one in found.values()}))}."
        )
    return "\n".join(lines)


def _row(name: str, one: Measured) -> Iterator[str]:
    default = one.default
    yield from (name, str(one.files), str(one.lines), _known(default.commands))
    yield from (f"{one.interval.cost.seconds:.1f}", f"{default.cost.seconds:.1f}")
    for cost in (one.clang, one.gcc):
        yield f"{cost.seconds:.1f}{f' ({cost.refused} refused)' if cost.refused else ''}"
    yield f"{default.cost.seconds / one.clang.seconds:.1f}" if one.clang.seconds else "-"
    yield "-" if default.half is None else f"{default.half:.1f}"
    yield from (str(default.cost.memory), str(default.total), str(default.proved), str(default.total - default.proved))
    yield from (str(default.groups), default.status)


def _known(number: int | None) -> str:
    return "-" if number is None else str(number)
