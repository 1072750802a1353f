"""Executes annotated programs under many random schedules and inputs.

The program is compiled unchanged; the compiler's instrumentation of shared accesses gives control to
`runtime/scheduler.c`, which runs one thread at a time. A failure seen is a real execution; none seen proves nothing.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from duet.frontend.source.preprocess import header_directories
from tests.c.annotations import ROOT, AnnotatedProgram, Expected

RUNTIME = ROOT / "runtime"
SOURCE = "program.c"
THREADS_PER_ENTRY = 3
NEVER = 399  # a line that never fails
_DEFINITION = re.compile(r"^(?P<static>static )?[a-z][\w ]*?[ *](?P<name>\w+)\([^;{)]*\)\s*\{", re.MULTILINE)
_ERROR_LABEL = re.compile(r"^([ \t]*ERROR[ \t]*:)", re.MULTILINE)
_CHECKED = {
    "overflow": "signed-integer-overflow",
    "array-bounds": "bounds",
    "division-by-zero": "integer-divide-by-zero",
    "null-dereference": "null",
}
_TOLD = {"data-race": "race", "use-after-free": "late"}
_ROUNDS = 16


@dataclass(frozen=True, slots=True)
class Executions:
    """What many runs of a program did: per line, how often a check was reached and how often it failed."""

    runs: int
    crashed: int
    reached: Mapping[int, int]
    failed: Mapping[int, int]


def compile_runtime(compiler: str, folder: Path) -> Path:
    """The object file of the scheduler, without instrumentation."""
    target = folder / "scheduler.o"
    source = RUNTIME / "scheduler.c"
    subprocess.run([compiler, "-O1", "-w", "-c", str(source), "-o", str(target)], check=True)
    return target


def compile_program(program: AnnotatedProgram, compiler: str, runtime: Path, folder: Path) -> Path:
    """The executable of a program with its harness.

    *Deviation*: statements with the label `ERROR` get a call in front that reports them; nothing else is changed.
    """
    text = program.path.read_text(encoding="utf-8")
    source = folder / SOURCE
    source.write_text(_ERROR_LABEL.sub(r"\1 sched_check(0, __LINE__, 1);", text), encoding="utf-8")
    harness = folder / "harness.c"
    harness.write_text(harness_text(program, text), encoding="utf-8")
    sanitized = [_CHECKED[p] for p in _properties(program) if p in _CHECKED]
    instrument = ["-g", "-fsanitize=thread", "-finstrument-functions", *(f"-fsanitize={name}" for name in sanitized)]
    compile_only = [compiler, "-std=gnu11", "-D_GNU_SOURCE", "-O0", "-w", "-Dmain=program_main", "-c"]
    subprocess.run(
        [*compile_only, *_includes(program.option("model")), *instrument, str(source), "-o", str(folder / "program.o")],
        check=True,
    )
    subprocess.run([*compile_only, *_includes(None), str(harness), "-o", str(folder / "harness.o")], check=True)
    executable = folder / "program"
    objects = [str(folder / "program.o"), str(folder / "harness.o"), str(runtime)]
    subprocess.run([compiler, "-rdynamic", *objects, "-pthread", "-o", str(executable)], check=True)
    return executable


def _includes(model: str | None) -> list[str]:
    """What goes in front of a program: the functions of the system or, for the Linux model, those of its headers."""
    if model == "linux":
        return ["-include", str(RUNTIME / "kernel.h"), *(f"-I{d}" for d in header_directories("linux")[:1])]
    return ["-include", str(RUNTIME / "program.h"), "-I", str(RUNTIME / "include")]


def harness_text(program: AnnotatedProgram, text: str) -> str:
    """A `main` for a program whose threads are named by `--entries`; nothing for a program with its own `main`."""
    entries = program.option("entries")
    if entries is None:
        return ""
    names = all_entries(text) if entries == "all" else tuple(entries.split(","))
    init = program.option("init") or ("init" if re.search(r"\binit\(", text) else None)
    threads = THREADS_PER_ENTRY if program.option("parameterized") is not None else 1
    lines = ["pthread_t handles[64];"]
    for entry in names:
        lines += [f"void {entry}();", f"static void *run_{entry}(void *unused) {{ {entry}(); return 0; }}"]
    starts = [f"pthread_create(&handles[{i}], 0, run_{e}, 0);" for i, e in enumerate(names * threads)]
    joins = [f"pthread_join(handles[{i}], 0);" for i in range(len(starts))]
    body = [f"{init}();" if init else "", *starts, *joins]
    declaration = f"void {init}();" if init else ""
    return "\n".join([*lines, declaration, "int main(void) {", *body, "return 0; }", ""])


def all_entries(text: str) -> tuple[str, ...]:
    """The functions of a program that are mentioned only where they are defined (`--entries all`)."""
    names = [m["name"] for m in _DEFINITION.finditer(text) if m["name"] not in ("main", "init")]
    return tuple(n for n in names if len(re.findall(rf"\b{n}\b", text)) == 1)


def execute(program: AnnotatedProgram, executable: Path, seed: int, runs: int) -> Executions:
    """The outcome of up to `runs` executions from a seed on, fewer once every UNSAFE! line has failed."""
    wanted = set(program.lines(Expected.UNSAFE))
    if not _told(program):
        return _executed(program, executable, seed, runs, wanted)
    total = Executions(0, 0, {}, {})
    for start in range(seed, seed + runs, -(-runs // _ROUNDS)):  # the program itself cannot tell lines
        more = _executed(program, executable, start, -(-runs // _ROUNDS), set())
        total = Executions(
            total.runs + more.runs,
            total.crashed + more.crashed,
            Counter(total.reached) + Counter(more.reached),
            Counter(total.failed) + Counter(more.failed),
        )
        if wanted <= {line for line, count in total.failed.items() if count}:
            break
    return total


def _executed(program: AnnotatedProgram, executable: Path, seed: int, runs: int, wanted: set[int]) -> Executions:
    copies = THREADS_PER_ENTRY if program.option("parameterized") is not None else 1
    command = [str(executable), str(seed), str(runs), str(copies), *map(str, sorted(wanted) or (NEVER,))]
    deadlocks = {"DEADLOCKS": "1"} if "deadlock" in _properties(program) else {}
    environment = {**os.environ, **deadlocks}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    found = _read(done.stdout.splitlines())
    words = [line.split() for line in done.stdout.splitlines()]
    told = _lines(executable, [place for line in words if line[0] in _told(program) for place in line[1:]])
    return Executions(found.runs, found.crashed, {**found.reached, **told}, {**found.failed, **told})


def race_lines(executable: Path, runs: int) -> frozenset[tuple[int, int]]:
    """The lines of the two accesses of each race that some executions had, the smaller one first."""
    command = [str(executable), "1", str(runs), "1", str(NEVER)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    pairs = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("race ")]
    found: set[tuple[int, int]] = set()
    for pair in pairs:
        lines = [line for place in pair for line in _lines(executable, [place])]
        if len(lines) == 2:
            found.add((min(lines), max(lines)))
    return frozenset(found)


def _lines(executable: Path, places: Sequence[str]) -> Mapping[int, int]:
    """How many of some instructions are on each line of the program."""
    if not places:
        return {}
    done = subprocess.run(["addr2line", "-e", str(executable), *places], check=True, capture_output=True, text=True)
    named = [line.split()[0].rpartition(":") for line in done.stdout.splitlines()]
    return Counter(int(line) for file, _, line in named if Path(file).name == SOURCE and line.isdigit())


def _told(program: AnnotatedProgram) -> Sequence[str]:
    """The words in front of instructions that fail, of which the program itself does not know the lines."""
    return [_TOLD[asked] for asked in _properties(program) if asked in _TOLD]


def _properties(program: AnnotatedProgram) -> Sequence[str]:
    return (program.option("properties") or "").split(",")


def _read(output: Sequence[str]) -> Executions:
    *lines, last = output
    rows = [tuple(map(int, line.split())) for line in lines if line[0].isdigit()]
    words = last.split()
    return Executions(int(words[1]), int(words[3]), {r[0]: r[1] for r in rows}, {r[0]: r[2] for r in rows})
