"""The driver suite under several configurations: what is proved, what is not and why, and where the time goes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from rich.table import Table

from duet.batch.suite import load
from duet.batch.task import Published, Suite, Task

ROOT = Path(__file__).resolve().parent.parent
TRIAGE = ROOT / "drivers-bench" / "baseline" / "triage.md"
SAFE = ("proved", "unreachable")
NOTES = {"real": "can really fail", "imprecise": "cannot fail: a proof is missing", "": "not in the triage"}
_ROW = re.compile(r"^\| (?P<driver>[\w.]+) \| (?P<line>\d+) \| `(?P<expression>.+?)` \| (?P<class>real|imprecise) \|")
# As printed in Table 3.1, in seconds.
PUBLISHED_SECONDS = {
    "nv_tco.c": (111, 85), "ib700wdt.c": (30, 20), "machzwd.c": (39, 884), "mixcomwd.c": (22, 25),
    "pcwd.c": (163, 1428), "pcwd_pci.c": (138, 179), "sbc60xxwdt.c": (28, 687), "sc520_wdt.c": (28, 800),
    "sc1200wdt.c": (34, 33), "smsc37b787_wdt.c": (47, 47), "w83877f_wdt.c": (29, 804), "w83977f_wdt.c": (34, 34),
    "wdt.c": (25, 25), "wdt977.c": (27, 28), "wdt_pci.c": (33, 333), "": (789, 5421),
}  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """What one run said of one driver: `wall` in seconds, `timing` of its stages, the checks as in the JSON report."""

    task: Task
    status: str
    wall: float
    timing: dict[str, float] = field(default_factory=dict)
    checks: list[dict[str, Any]] = field(default_factory=list)
    warnings: int = 0

    @property
    def safe(self) -> int:
        return sum(check["status"] in SAFE for check in self.checks)

    @property
    def copies(self) -> int:
        """The checks counted as often as inlining copied them into threads, which is how DUET counts."""
        return sum(max(check["contexts"], 1) for check in self.checks)

    @property
    def summary(self) -> dict[str, Any]:
        return {"status": self.status, "safe": self.safe, "checks": len(self.checks), "copies": self.copies,
                "warnings": self.warnings, "timing": self.timing}  # fmt: skip

    @property
    def unproved(self) -> list[dict[str, Any]]:
        return [check for check in self.checks if check["status"] not in SAFE]


def suites(names: Iterable[str]) -> list[Suite]:
    """The sets of that name beside this file."""
    return [load(str(ROOT / "drivers-bench" / "sets" / f"{name}.toml"), {}, {}) for name in names]


def run(task: Task, domain: str, descriptors: str, timeout: float) -> Outcome:
    """One driver analysed in a process of its own."""
    path = Path(task.files[0])
    command = [sys.executable, "-m", "duet", "analyze", "--format", "json", "--model", "linux", "--domain", domain]
    command += ["--descriptors", descriptors, "--timeout", f"{timeout:g}"]
    command += ["--properties", ",".join(task.frontend.properties), *(f"-D{d}" for d in task.frontend.defines)]
    start = perf_counter()
    done = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False, cwd=ROOT)
    wall = perf_counter() - start
    try:
        report: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return Outcome(task, (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1], wall)
    checks = report["assertions"]
    if report["status"] == "error":
        return Outcome(task, (done.stderr.strip() or "error").splitlines()[-1], wall)
    return Outcome(task, report["status"], wall, report["timing"], checks, len(report["warnings"]))


def run_all(tasks: Iterable[Task], domain: str, descriptors: str, timeout: float, jobs: int) -> list[Outcome]:
    """All drivers, in the order of the suite."""
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda task: run(task, domain, descriptors, timeout), tasks))


def table(suite: Suite, outcomes: list[Outcome], domain: str) -> Table:
    """One row for each driver, beside DUET's published numbers where there are any."""
    result = Table(title=f"{suite.title} ({domain})")
    result.add_column("driver", no_wrap=True)
    for header in (
        "checks",
        "copies",
        "proved",
        "share",
        "time s",
        "DUET checks",
        "DUET proved",
        "share",
        "DUET time s",
    ):
        result.add_column(header, justify="right")
    for outcome in outcomes:
        name = Path(outcome.task.files[0]).name
        if outcome.status != "complete":
            result.add_row(name, outcome.status)
            continue
        ours = (len(outcome.checks), outcome.copies, outcome.safe, outcome.timing["total"])
        result.add_row(name, *_cells(*ours), *_published(outcome.task.published, name, domain))
    checks, safe = (sum(len(o.checks) for o in outcomes), sum(o.safe for o in outcomes))
    seconds = sum(o.timing.get("total", 0.0) for o in outcomes)
    result.add_section()
    copies = sum(o.copies for o in outcomes)
    result.add_row("total", *_cells(checks, copies, safe, seconds), *_published(suite.published_total, "", domain))
    return result


def _cells(checks: int, copies: int, safe: int, seconds: float) -> tuple[str, ...]:
    return str(checks), str(copies), str(safe), f"{safe / checks:.1%}" if checks else "-", f"{seconds:.2f}"


def _published(numbers: Published | None, name: str, domain: str) -> tuple[str, ...]:
    """DUET's numbers; `auto` stands beside those of the intervals, which were the better ones."""
    if numbers is None:
        return ()
    proved = dict(numbers.proved)
    count = proved.get(domain, proved["interval"])
    seconds = PUBLISHED_SECONDS[name][domain == "octagon"]
    return str(numbers.checks), str(count), f"{count / numbers.checks:.1%}", str(seconds)


def triage() -> dict[tuple[str, int, str], str]:
    """What the triage says of each unproved check: (file, line, expression) to real or imprecise."""
    if not TRIAGE.exists():
        return {}
    rows = (_ROW.match(line) for line in TRIAGE.read_text(encoding="utf-8").splitlines())
    return {(row["driver"], int(row["line"]), row["expression"]): row["class"] for row in rows if row}


def reasons(outcomes: Iterable[Outcome]) -> Table:
    """The unproved checks by kind, by what the analyzer says and by what a reader found."""
    known = triage()
    found: Counter[tuple[str, str, str]] = Counter()
    for outcome in outcomes:
        name = Path(outcome.task.files[0]).name
        for check in outcome.unproved:
            verdict = known.get((name, check["line"], check["expression"]), "")
            found[check["property"], check["reason"] or check["status"], verdict] += 1
    result = Table(title="not proved, by kind")
    for header in ("property", "what the analyzer says", "triage"):
        result.add_column(header)
    result.add_column("checks", justify="right")
    for (kind, reason, verdict), count in sorted(found.items()):
        result.add_row(kind, reason, NOTES[verdict], str(count))
    return result


def stages(outcomes: Iterable[Outcome]) -> dict[str, float]:
    """Seconds per stage over all drivers, the longest first."""
    total: Counter[str] = Counter()
    for outcome in outcomes:
        total.update({stage: seconds for stage, seconds in outcome.timing.items() if stage != "total"})
    return dict(total.most_common())
