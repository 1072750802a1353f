"""Searches for random programs that show seeded defects: `python -m tests.soundness.search [SUITE...]`.

Writes `witnesses.json`; exit code 1 if some defect shows in no program. Needed only after a change of a generator or
of a defect: tests that find nothing at the recorded seeds search by themselves, which takes long.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tests.soundness import defects, test_c_programs, test_c_races, test_counting, test_defects, test_races
from tests.soundness.witnesses import RECORD, Record, recorded

WANTED = 2  # a change of the analysis may take away the first


@dataclass(frozen=True, slots=True)
class Suite:
    """Defects by name, whether one shows in the program of a seed, and how many programs are tried."""

    defects: Iterable[str]
    shows: Callable[[str, int], bool]
    count: int


SUITES = {
    "plip": Suite(defects.DEFECTS, test_defects.shows, test_defects.ENOUGH),
    "counting": Suite(test_counting.DEFECTS, test_counting.shows, test_counting.ENOUGH),
    "races": Suite(test_races.DEFECTS, test_races.shows, test_races.ENOUGH),
    "c": Suite(test_c_programs.DEFECTS, test_c_programs.shows, test_c_programs.ENOUGH),
    "c-races": Suite(test_c_races.DEFECTS, test_c_races.shows, test_c_races.ENOUGH),
}


def witnesses(suite: Suite, defect: str) -> list[int]:
    """The first seeds whose programs show a defect, the quickest first."""
    found: list[tuple[float, int]] = []
    for seed in range(suite.count):
        start = time.process_time()
        if suite.shows(defect, seed):
            found.append((time.process_time() - start, seed))
        if len(found) == WANTED:
            break
    return [seed for _, seed in sorted(found)]


def rendered(record: Record) -> str:
    """The text of a record, a line for each defect."""
    suites = []
    for suite, found in record.items():
        lines = [f"    {json.dumps(defect)}: {json.dumps(seeds)}" for defect, seeds in found.items()]
        suites.append(f"  {json.dumps(suite)}: {{\n" + ",\n".join(lines) + "\n  }")
    return "{\n" + ",\n".join(suites) + "\n}\n"


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", choices=[[], *SUITES], metavar="SUITE", help=", ".join(SUITES))
    record = {suite: dict(defects) for suite, defects in recorded().items()}
    missing = False
    for name in parser.parse_args().suites or SUITES:
        record[name] = {}
        for defect in SUITES[name].defects:
            record[name][defect] = witnesses(SUITES[name], defect)
            missing = missing or not record[name][defect]
            print(name, defect, record[name][defect] or "shows in no program", flush=True)
            RECORD.write_text(rendered(record), encoding="utf-8")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
