"""Races that compiled C programs have under random schedules, against those that the analysis does not exclude."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from duet.check.races import sites
from duet.clock import Clock
from duet.errors import DuetError
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.pipeline import solve
from duet.reading import read
from tests.c.annotations import AnnotatedProgram
from tests.c.schedules import compile_program, compile_runtime, race_lines
from tests.soundness.budgets import DEFAULT, MODES
from tests.soundness.c_threads import random_threads

Lines = tuple[int, int]
"""The lines of two accesses, the smaller one first."""
INTERVAL = AnalysisOptions(domain="interval", engine="bitset")


def seen_races(path: Path, compiler: str, runtime: Path, folder: Path, runs: int) -> frozenset[Lines]:
    """The races that some of many executions had."""
    program = AnnotatedProgram(path, ("--properties", "data-race"), ())
    return race_lines(compile_program(program, compiler, runtime, folder), runs)


def claimed_races(path: Path, budgets: Budgets = DEFAULT) -> frozenset[Lines]:
    """The races that the analysis does not exclude."""
    found = read((str(path),), FrontendOptions(properties=("data-race",), budgets=budgets), Clock())
    analysis = solve(found.program, INTERVAL)
    spans = [site.access.span for site in sites(analysis.program)]
    lines = [span.line if span is not None else 0 for span in spans]
    return frozenset((min(lines[a], lines[b]), max(lines[a], lines[b])) for a, b in analysis.races)


def missed(seed: int, compiler: str, runtime: Path, folder: Path, runs: int, mode: str) -> tuple[int, frozenset[Lines]]:
    """How many races a random program showed, and those among them that the analysis excludes.

    `mode` is the one of `MODES` that gives it its budgets.
    """
    path = folder / f"threads{seed}.c"
    path.write_text(random_threads(seed), encoding="utf-8")
    seen = seen_races(path, compiler, runtime, folder, runs)
    return len(seen), seen - claimed_races(path, MODES[mode](seed))


def main() -> int:
    """The exit code of a soak: 1 if some race was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--budgets", choices=MODES, default="default")
    given = parser.parse_args()
    total = wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runtime = compile_runtime("gcc", folder)
        for seed in range(given.seed, given.seed + given.count):
            try:
                count, lost = missed(seed, "gcc", runtime, folder, given.runs, given.budgets)
            except DuetError as error:
                print(f"seed {seed}: {error}")
                continue
            total += count
            if lost:
                wrong += 1
                print(f"seed {seed}: races of lines {sorted(lost)} are excluded", flush=True)
    print(f"{given.count} programs with {total} races, {wrong} programs with missed ones")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
