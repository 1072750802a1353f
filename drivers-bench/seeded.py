#!/usr/bin/env python3
"""Seeds defects in a random sample of kernel drivers: no check that a defect makes fail may stay proved.

    seeded.py --source KERNEL_TREE --kernel HEADERS [--draw 60:watchdog,rtc,char,misc] [--seed N]
              [--defects 9] [--texts 3] [--seconds 30] [--json PATH] [--list]

`defects.py` finds the defects in the text of a driver. Each driver is analysed once with all their checks, and then
with the defects, dealt to a few texts so that no function has two in one. A check that stays proved is tried again
with its defect alone. What is still proved then is to be looked at: either the defect does no harm, or the analyzer is
wrong. Checks that nothing gets to, with and without the defect, are counted apart.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from defects import Defect, Driver, applied, every
from mutate import SAFE, reported
from survey import drawn


@dataclass(frozen=True)
class Setting:
    """Where drivers and headers lie, and how much is done for each driver."""

    source: Path
    kernel: str
    seed: int
    defects: int
    texts: int
    seconds: float


@dataclass(frozen=True)
class Finding:
    """What became of a defect: not proved before, caught, still proved, unreachable, or why there is no answer."""

    driver: str
    kind: str
    function: str
    what: str
    line: int
    result: str


def analyse(setting: Setting, name: str, text: str) -> dict[str, Any]:
    """The JSON report on a text in the place of a file of the tree, or `{"error": why}`."""
    origin = setting.source / name
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, origin.name)
        path.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "duet", "analyze", str(path), "--alone", "--kernel", setting.kernel]
        command += ["-I", str(origin.parent), "--format", "json", "--domain", "interval", "--no-verify"]
        command += ["--properties", "assertion,array-bounds", "--timeout", str(setting.seconds)]
        return reported(command)


def verdict(report: dict[str, Any], defect: Defect) -> str:
    """What the analyzer says of the checks that a defect is about: `proved`, `unproved`, or why nothing."""
    if "error" in report:
        return f"error: {report['error']}"
    found = [
        check["status"]
        for check in report["assertions"]
        if check["property"] == defect.property_name
        and check["line"] in defect.lines
        and defect.text in check["expression"]
    ]
    if not found:
        return "error: no such check"
    if all(status == "unreachable" for status in found):
        return "unreachable"
    return "proved" if all(status in SAFE for status in found) else "unproved"


def dealt(defects: list[Defect], texts: int) -> Iterator[tuple[Defect, ...]]:
    """The defects, in groups of which none has two in one function; those that are left over go."""
    left = defects
    for _ in range(texts):
        group = {defect.function: defect for defect in reversed(left)}
        left = [defect for defect in left if group[defect.function] is not defect]
        if group:
            yield tuple(group.values())


def chosen(driver: Driver, setting: Setting) -> list[Defect]:
    """Some defects of a driver: of each kind about as many, at random, that go together with the text."""
    found = list(every(driver))
    random.Random(setting.seed).shuffle(found)
    rank: Counter[str] = Counter()
    order: list[tuple[int, Defect]] = []
    for defect in found:
        order.append((rank[defect.kind], defect))
        rank[defect.kind] += 1
    kept: list[Defect] = []
    lines: set[int] = set()
    for _, defect in sorted(order, key=lambda pair: pair[0]):
        is_new = defect.property_name != "assertion" or defect.lines[0] not in lines
        if is_new and len(kept) < setting.defects and applied(driver, (*kept, defect), is_wrong=False):
            kept.append(defect)
            lines.update(defect.lines if defect.property_name == "assertion" else ())
    return kept


def findings(setting: Setting, name: str) -> Iterator[Finding]:
    """What becomes of the defects of a driver."""
    driver = Driver((setting.source / name).read_text(encoding="utf-8", errors="replace"))
    defects = chosen(driver, setting)
    if not defects:
        return
    right = analyse(setting, name, applied(driver, tuple(defects), is_wrong=False) or "")
    for group in dealt(defects, setting.texts):
        before = {defect: verdict(right, defect) for defect in group}
        tried = tuple(defect for defect in group if before[defect] in SAFE)
        wrong = _analysed(setting, name, driver, tried) if tried else {}
        for defect in group:
            after = verdict(wrong, defect) if defect in tried else ""
            if after in SAFE and len(tried) > 1:
                after = verdict(_analysed(setting, name, driver, (defect,)), defect)
            result = _result(before[defect], after)
            yield Finding(name, defect.kind, defect.function, defect.what, defect.lines[0], result)


def _analysed(setting: Setting, name: str, driver: Driver, defects: tuple[Defect, ...]) -> dict[str, Any]:
    text = applied(driver, defects, is_wrong=True)
    return analyse(setting, name, text) if text is not None else {"error": "these defects do not go together"}


def _result(before: str, after: str) -> str:
    if before not in SAFE:
        return "not proved" if before == "unproved" else before
    if before == after == "unreachable":
        return after
    return "still proved" if after in SAFE else "caught" if after == "unproved" else after


def table(found: list[Finding]) -> Iterator[str]:
    """A Markdown table by kind, and a line that sums it up."""
    yield "| defect | seeded | no answer | not proved before | unreachable | caught | still proved |"
    yield "|---|---|---|---|---|---|---|"
    for kind in sorted({finding.kind for finding in found}):
        counts = Counter(finding.result.split(":")[0] for finding in found if finding.kind == kind)
        numbers = " | ".join(
            str(counts[word]) for word in ("error", "not proved", "unreachable", "caught", "still proved")
        )
        yield f"| {kind} | {counts.total()} | {numbers} |"
    yield ""
    drivers = {finding.driver for finding in found}
    answered = {finding.driver for finding in found if not finding.result.startswith("error")}
    yield f"{len(found)} defects in {len(drivers)} drivers, {len(answered)} with an answer."


def main() -> int:
    """Draws, seeds, prints."""
    parser = argparse.ArgumentParser(description="Seeds defects in a random sample of kernel drivers.")
    parser.add_argument("--source", type=Path, required=True, metavar="DIR", help="a kernel tree")
    parser.add_argument("--kernel", required=True, metavar="DIR", help="the headers of a configured kernel")
    parser.add_argument("--draw", default="60:watchdog,rtc,char,misc", metavar="N:DIR,...")
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--defects", type=int, default=9, help="for each driver, at most")
    parser.add_argument("--texts", type=int, default=3, help="that the defects of a driver are dealt to")
    parser.add_argument("--seconds", type=float, default=30, help="for each text")
    parser.add_argument("--json", type=Path, metavar="PATH", help="write what was found here")
    parser.add_argument("--list", action="store_true", help="only say which defects there are")
    given = parser.parse_args()
    setting = Setting(given.source, given.kernel, given.seed, given.defects, given.texts, given.seconds)
    found: list[Finding] = []
    for name in drawn(given.source, given.draw, given.kernel, given.seed):
        if given.list:
            driver = Driver((given.source / name).read_text(encoding="utf-8", errors="replace"))
            print(*(f"{name}: {d.kind}: {d.function}: {d.what}" for d in chosen(driver, setting)), sep="\n")
            continue
        for finding in findings(setting, name):
            found.append(finding)
            where = f"{name}: {finding.kind} in {finding.function}, check on line {finding.line}: {finding.what}"
            print(f"{where}: {finding.result}", flush=True)
        if given.json:
            given.json.write_text(json.dumps([asdict(finding) for finding in found], indent=1))
    print("\n".join(table(found)))
    return 1 if any(finding.result == "still proved" for finding in found) else 0


if __name__ == "__main__":
    sys.exit(main())
