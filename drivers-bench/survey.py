#!/usr/bin/env python3
"""A random sample of kernel drivers, each analysed as a user would: what is complete, at what cost, what is proved.

    survey.py --source KERNEL_TREE --kernel HEADERS [--seed N] [--json PATH] [--again PATH] [--patience FACTOR]
              [--draw 40:watchdog,rtc,char,misc] [--draw 14:hwmon,leds,input,iio] [--keep DIRECTORY]

A draw is a number of files and directories below `drivers`. Only files that gcc compiles with the same headers count.
`--again` takes the files of an earlier run from what it wrote, so that two runs compare. On a machine that does other
work, too, `--patience` is how much longer than the limit a run may take as long as its processor time is below it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from duet.frontend.source.kernel import find_headers

DRAWS = ("40:watchdog,rtc,char,misc", "14:hwmon,leds,input,iio")
SECONDS, MIB = 60, 1024
SAFE = ("proved", "unreachable")


@dataclass(frozen=True)
class Outcome:
    """What one run said of one file: `checks` are, by property, how many are safe and how many there are.

    *Units*: `seconds` are those of a processor.
    """

    file: str
    status: str
    seconds: float
    mib: int
    checks: dict[str, tuple[int, int]] = field(default_factory=dict)
    reason: str = ""
    warnings: dict[str, int] = field(default_factory=dict)

    @property
    def safe(self) -> int:
        return sum(safe for safe, _ in self.checks.values())

    @property
    def total(self) -> int:
        return sum(total for _, total in self.checks.values())


def compiles(path: Path, kernel: str) -> bool:
    """Whether gcc takes a file with the headers, as the kernel's Makefile gives them."""
    headers = find_headers(kernel)
    include = subprocess.run(["gcc", "-print-file-name=include"], capture_output=True, text=True, check=True)
    flags = [flag for directory in headers.directories for flag in ("-I", str(directory))]
    flags += [flag for header in headers.forced for flag in ("-include", str(header))]
    flags += [
        "-D__KERNEL__",
        "-DMODULE",
        "-DCC_USING_FENTRY",
        '-DKBUILD_MODNAME="x"',
        '-DKBUILD_BASENAME="x"',
        "-D__KBUILD_MODNAME=kmod_x",
    ]
    flags += ["-std=gnu11", "-O2", "-mno-sse", "-mcmodel=kernel", "-fno-pie", "-isystem", include.stdout.strip()]
    command = ["gcc", "-S", "-o", os.devnull, "-w", "-nostdinc", *flags, str(path)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def drawn(source: Path, draw: str, kernel: str, seed: int) -> Iterator[str]:
    """The files of one draw, relative to the tree."""
    number, _, directories = draw.partition(":")
    found = sorted(
        str(path.relative_to(source))
        for name in directories.split(",")
        for path in (source / "drivers" / name).rglob("*.c")
    )
    random.Random(seed).shuffle(found)
    left = int(number)
    for name in found:
        if left and compiles(source / name, kernel):
            left -= 1
            yield name


def analyse(
    source: Path, name: str, kernel: str, options: Iterable[str], patience: float, kept: Path | None
) -> Outcome:
    """Runs the command line on one file; its report is kept in a directory if one is given."""
    command = [sys.executable, "-m", "duet", "analyze", str(source / name), "--kernel", kernel, "--format", "json"]
    command += ["--timeout", str(SECONDS * patience), "--memory", str(MIB), *options]
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as messages:
        process = subprocess.Popen(command, stdout=output, stderr=messages)
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0  # it has been waited for
        seconds = usage.ru_utime + usage.ru_stime
        output.seek(0)
        messages.seek(0)
        report = output.read()
        if kept is not None:
            (kept / f"{name.replace('/', '_')}.json").write_text(report)
        return outcome(name, seconds, report, messages.read())


def outcome(name: str, seconds: float, output: str, messages: str) -> Outcome:
    """What a run said that took some seconds of a processor."""
    errors = [line for line in messages.splitlines() if "error:" in line or "Error" in line]
    try:
        found: dict[str, Any] = json.loads(output)
    except json.JSONDecodeError:
        return Outcome(name, "error", seconds, 0, reason=(errors or messages.splitlines() or ["?"])[-1])
    checks: dict[str, tuple[int, int]] = {}
    for check in found["assertions"]:
        safe, total = checks.get(check["property"], (0, 0))
        checks[check["property"]] = (safe + (check["status"] in SAFE), total + 1)
    warnings = Counter(warning["code"] for warning in found["warnings"])
    status = "timeout" if found["status"] == "complete" and seconds > SECONDS else found["status"]
    reason = "" if status == "complete" else (errors or [status])[-1]
    mib = int(found.get("stats", {}).get("peak_rss_mib", 0))
    return Outcome(name, status, seconds, mib, checks, reason, dict(warnings))


def table(outcomes: list[Outcome]) -> Iterator[str]:
    """A Markdown table of the files, and lines that sum it up."""
    yield "| file | status | s | MiB | safe | checks | why not complete |"
    yield "|---|---|---|---|---|---|---|"
    for found in outcomes:
        numbers = f"{found.seconds:.1f} | {found.mib} | {found.safe} | {found.total}"
        yield f"| {found.file.removeprefix('drivers/')} | {found.status} | {numbers} | {found.reason[-160:]} |"
    complete = [found for found in outcomes if found.status == "complete"]
    yield ""
    worst = max((found.seconds for found in complete), default=0.0)
    yield f"{len(complete)} of {len(outcomes)} complete; median {median(found.seconds for found in complete):.1f} s,"
    yield f"{median(found.mib for found in complete):.0f} MiB; worst {worst:.1f} s."
    yield ""
    yield "| property | proved or unreachable | checks |"
    yield "|---|---|---|"
    for name in sorted({name for found in complete for name in found.checks}):
        pairs = [found.checks[name] for found in complete if name in found.checks]
        yield f"| {name} | {sum(safe for safe, _ in pairs)} | {sum(total for _, total in pairs)} |"
    yield f"| all | {sum(found.safe for found in complete)} | {sum(found.total for found in complete)} |"


def median(numbers: Iterable[float]) -> float:
    """The middle one; 0 of none."""
    ordered = sorted(numbers)
    return ordered[len(ordered) // 2] if ordered else 0.0


def main() -> int:
    """Draws, runs, prints."""
    parser = argparse.ArgumentParser(description="A random sample of kernel drivers, each analysed as a user would.")
    parser.add_argument("--source", type=Path, required=True, metavar="DIR", help="a kernel tree")
    parser.add_argument("--kernel", required=True, metavar="DIR", help="the headers of a configured kernel")
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--draw", action="append", metavar="N:DIR,...", help=f"default: {' and '.join(DRAWS)}")
    parser.add_argument("--again", type=Path, metavar="PATH", help="the files of an earlier run")
    parser.add_argument("--json", type=Path, metavar="PATH", help="write what was measured here")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the report on each file here")
    parser.add_argument("--patience", type=float, default=1.0, metavar="FACTOR", help="for a machine that is busy")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    arguments, options = parser.parse_known_args()
    if arguments.again:
        names = [entry["file"] for entry in json.loads(arguments.again.read_text())]
    else:
        draws = arguments.draw or DRAWS
        names = [name for draw in draws for name in drawn(arguments.source, draw, arguments.kernel, arguments.seed)]
    chosen = options or ["--domain", "interval"]
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    run = partial(
        analyse,
        arguments.source,
        kernel=arguments.kernel,
        options=chosen,
        patience=arguments.patience,
        kept=arguments.keep,
    )
    outcomes = []
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for found in pool.map(run, names):
            outcomes.append(found)
            if arguments.json:  # what there is when somebody loses patience
                arguments.json.write_text(json.dumps([asdict(found) for found in outcomes], indent=1))
    print("\n".join(table(outcomes)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
