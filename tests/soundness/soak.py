"""Many random programs, in parallel: `python -m tests.soundness.soak --count 100000 [--seed N] [--relational] [-j 2]`.

Prints a report for each program with an unsound answer; exit code 1 if there is one.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from functools import partial

from duet.coarsen.analysis import analyse
from duet.options import AnalysisOptions
from duet.plip.semantics import Limits
from tests.soundness.generate import random_program
from tests.soundness.properties import LIMITS, first_report
from tests.soundness.relational import relational_program

CHUNK = 50


def run_chunk(
    first: int, count: int, domains: tuple[str, ...], engines: tuple[str, ...], limits: Limits, is_relational: bool
) -> tuple[int, str | None]:
    """The number of programs tried and the first report; every other chunk keeps every cell everywhere."""
    options = tuple(AnalysisOptions(domain=domain, engine=engine) for domain in domains for engine in engines)
    method = partial(analyse, everywhere=bool(first // CHUNK % 2))
    made = relational_program if is_relational else random_program
    return count, first_report(range(first, first + count), method, options, limits, made)


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--relational", action="store_true", help="Programs about relations of several cells.")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--domains", default="interval,octagon")
    parser.add_argument("--engines", default="bitset")
    parser.add_argument("--threads", type=int, default=LIMITS.threads)
    given = parser.parse_args()
    limits = replace(LIMITS, threads=given.threads, states=LIMITS.states * max(1, given.threads - 2))
    domains, engines = tuple(given.domains.split(",")), tuple(given.engines.split(","))
    end = given.seed + given.count
    tried = failed = 0
    with ProcessPoolExecutor(given.jobs) as pool:
        chunks = [
            pool.submit(run_chunk, first, min(CHUNK, end - first), domains, engines, limits, given.relational)
            for first in range(given.seed, end, CHUNK)
        ]
        for chunk in as_completed(chunks):
            count, report = chunk.result()
            tried += count
            print(f"{tried} programs so far", file=sys.stderr, flush=True)
            if report is not None:
                failed += 1
                print(report, flush=True)
    print(f"{tried} programs, {failed} chunks with an unsound answer")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
