"""Random C programs, compiled and analysed: `python -m tests.soundness.c_soak --count 10000 [--seed N] [-j 2]`.

Every other chunk of programs is lowered as large ones are (`--budgets small` or `--budgets default` for one kind only).
Prints each unsound answer and each crash with its seed and the program's text; exit code 1 if there is one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path

from duet.frontend.lower import Lowered, lower
from duet.result import Status
from tests.soundness.budgets import MODES
from tests.soundness.c_calls import random_calls
from tests.soundness.c_memory import random_memory
from tests.soundness.c_oracle import ADDRESSES, Seen, complaints, observed, verdicts
from tests.soundness.c_pointers import random_pointers
from tests.soundness.c_programs import random_program, with_checks
from tests.soundness.c_sections import random_sections
from tests.soundness.c_threads import observed_threads, random_threads

CHUNK = 25
DOMAINS = ("interval", "octagon")


@dataclass(frozen=True, slots=True)
class Report:
    """How many programs were tried, their checks by outcome, and what is wrong, with the program."""

    programs: int
    failing: int
    proved: int
    wrong: tuple[str, ...]


def sequential(
    seeds: Iterable[int], folder: Path, make: Callable[[int], str] = random_program, more: Sequence[str] = ()
) -> list[tuple[int, str, Seen]]:
    """Random sequential programs with what executions of them did."""
    numbers = list(seeds)
    probed = [make(seed) for seed in numbers]
    found = []
    for seed, text, seen in zip(numbers, probed, observed(probed, folder, more=more), strict=True):
        checked, failed = with_checks(text, seen.values, seed)
        lines = frozenset(seen.values)
        found.append((seed, checked, replace(seen, held=lines - failed, failed=failed)))
    return found


def calls(seeds: Iterable[int], folder: Path) -> list[tuple[int, str, Seen]]:
    """Random sequential programs that are mostly calls, with what executions of them did."""
    return sequential(seeds, folder, random_calls)


def layouts(seeds: Iterable[int], folder: Path) -> list[tuple[int, str, Seen]]:
    """Random sequential programs about the layout of memory, with what executions of them did."""
    return sequential(seeds, folder, random_memory)


def pointers(seeds: Iterable[int], folder: Path) -> list[tuple[int, str, Seen]]:
    """Random sequential programs about pointers, with what executions of them did that stayed inside of objects."""
    return sequential(seeds, folder, random_pointers, ADDRESSES)


def concurrent(
    seeds: Iterable[int], folder: Path, runs: int = 60, make: Callable[[int], str] = random_threads
) -> list[tuple[int, str, Seen]]:
    """Random programs with threads, with what executions of them under random schedules did."""
    numbers = list(seeds)
    texts = [make(seed) for seed in numbers]
    return list(zip(numbers, texts, observed_threads(texts, folder, runs), strict=True))


def judged(
    programs: Iterable[tuple[int, str, Seen]],
    folder: Path,
    domains: tuple[str, ...] = DOMAINS,
    lowering: Callable[..., Lowered] = lower,
    mode: str = "default",
) -> Report:
    """What the analysis says of programs, compared with what they did; programs take the domains in turn.

    `mode` is the one of `MODES` that gives them their budgets.
    """
    tried = failing = proved = 0
    wrong: list[str] = []
    for seed, text, seen in programs:
        tried += 1
        failing += len(seen.failed)
        path = folder / "program.c"
        path.write_text(text, encoding="utf-8")
        # not by whether the seed is odd: that chooses the budgets
        domain = domains[seed // 2 % len(domains)] if mode == "small" else domains[seed % len(domains)]
        try:
            said: Mapping[int, Status] = verdicts(path, domain, lowering, MODES[mode](seed))
        except Exception:  # any error is what this looks for
            wrong.append(f"seed {seed}, {domain}, {mode} budgets: {traceback.format_exc(limit=-3)}\n{text}")
            continue
        proved += sum(said[line] is Status.PROVED for line in seen.held if line in said)
        found = complaints(text, seen, said)
        if found:
            wrong.append("\n".join([f"seed {seed}, {domain}, {mode} budgets:", *found, text]))
    return Report(tried, failing, proved, tuple(wrong))


def run_chunk(first: int, count: int, kind: str, mode: str) -> Report:
    """The report on some programs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seeds = range(first, first + count)
        match kind:
            case "sequential":
                programs = sequential(seeds, folder)
            case "calls":
                programs = calls(seeds, folder)
            case "memory":
                programs = layouts(seeds, folder)
            case "pointers":
                programs = pointers(seeds, folder)
            case "sections":
                programs = concurrent(seeds, folder, runs=400, make=random_sections)
            case _:
                programs = concurrent(seeds, folder, runs=400)
        return judged(programs, folder, mode=mode)


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--kinds", default="sequential,calls,memory,pointers,concurrent,sections")
    parser.add_argument("--budgets", default=",".join(MODES))
    given = parser.parse_args()
    modes = [(kind, mode) for mode in given.budgets.split(",") for kind in given.kinds.split(",")]
    end = given.seed + given.count
    tried = failing = proved = wrong = 0
    with ProcessPoolExecutor(given.jobs) as pool:
        starts = range(given.seed, end, CHUNK)
        chunks = [
            pool.submit(run_chunk, first, min(CHUNK, end - first), *modes[index % len(modes)])
            for index, first in enumerate(starts)
        ]
        for chunk in as_completed(chunks):
            report = chunk.result()
            tried, failing, proved = tried + report.programs, failing + report.failing, proved + report.proved
            wrong += len(report.wrong)
            print(f"{tried} programs so far", file=sys.stderr, flush=True)
            for text in report.wrong:
                print(text, flush=True)
    print(f"{tried} programs: {failing} failing checks, {proved} proved, {wrong} programs with a wrong answer")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
