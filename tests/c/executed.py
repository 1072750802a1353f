"""Whether executions of a program agree with its annotations, and a record of the programs for which they did.

What executions show depends on the program and on the scheduler, not on duet: a program on record needs no execution
until one of these changes. `python -m tests.c.executed` executes every program and writes the record anew.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.c import schedules
from tests.c.annotations import ROOT, AnnotatedProgram, Expected, bundled, name
from tests.c.schedules import RUNTIME, compile_program, compile_runtime, execute

RECORD = ROOT / "executed.json"
COMPILER = shutil.which("gcc") or ""
RUNS = 4_000
FEW_RUNS = 300  # where nothing is to be seen
# Checks that random schedules cannot be expected to reach: (program, line) -> why, and how else it is known.
NOT_SHOWN: dict[tuple[str, int], str] = {
    ("null/allocation", 17): "memory does not run out here; malloc is allowed to fail",
    ("everyday/cached_value", 27): "one thread has to look for what another one did, of a thousand keys",
    ("written_since/many_customers", 20): "twelve threads have to draw the largest of fifty numbers each",
    **{
        ("written_since/any_number_adds", line): "runs are cut off long before threads of a thousand rounds have ended"
        for line in (23, 24, 47, 48, 59, 60, 64, 65, 66, 70)
    },
}


def complaints(program: AnnotatedProgram, runtime: Path, folder: Path, runs: int | None = None) -> list[str]:
    """What executions show that the annotations do not say, or the other way round; `folder` is for the executable."""
    executable = compile_program(program, COMPILER, runtime, folder)
    failing = set(program.lines(Expected.UNSAFE))
    seen = execute(program, executable, seed=1, runs=runs or (RUNS if failing else FEW_RUNS))
    failed = {line for line, count in seen.failed.items() if count}
    excused = {line for topic, line in NOT_SHOWN if topic == name(program)}
    asserted = set(program.lines(Expected.SAFE)) & _lines_with_assert(program)
    wrong = {
        "marked UNSAFE!, never seen to fail": failing - excused - failed,
        "failed, but not marked UNSAFE!": failed - failing,
        "reached, but marked UNREACHABLE": set(program.lines(Expected.UNREACHABLE)) & set(seen.reached),
        "marked SAFE, but never executed": asserted - excused - set(seen.reached),
    }
    crashed = [f"{seen.crashed} executions crashed"] if seen.crashed else []
    return crashed + [f"{program.path}:{line}: {what}" for what, lines in wrong.items() for line in sorted(lines)]


def _lines_with_assert(program: AnnotatedProgram) -> set[int]:
    lines = program.path.read_text(encoding="utf-8").splitlines()
    return {number for number, line in enumerate(lines, 1) if "assert(" in line}


def digest(program: AnnotatedProgram) -> str:
    """A name for all that decides what executions of a program show: its text, the scheduler, this module."""
    runtime = [path for path in sorted(RUNTIME.rglob("*")) if path.is_file()]
    found = hashlib.sha256()
    for path in (*runtime, Path(schedules.__file__), Path(__file__), program.path):
        text = path.read_bytes()
        found.update(b"%d\n%s" % (len(text), text))
    return found.hexdigest()[:16]


def recorded() -> Mapping[str, str]:
    """The programs on record, with their digests when they were executed."""
    found: Mapping[str, str] = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    return found


def main() -> int:
    """The exit code: 1 if executions of some program do not agree with its annotations."""
    found: dict[str, str] = {}
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        runtime = compile_runtime(COMPILER, folder)
        for program in bundled():
            said = complaints(program, runtime, folder)
            wrong += said
            if not said:
                found[name(program)] = digest(program)
    RECORD.write_text(json.dumps(found, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    print("\n".join([*wrong, f"{len(found)} programs agree with their executions"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
