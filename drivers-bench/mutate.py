"""Seeds defects in the fetched drivers: a check proved on the right text must not be proved on the wrong one.

    mutate.py [DRIVER...] [--domain interval] [--list]

Prints each defect with what became of its check, the share caught, and exits with 1 if a check that really fails is
still proved: that is a bug of the analyzer. The texts are made anew each time and never kept.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click
from mutants import Mutant, every, read

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / "drivers-bench" / "cache"
SAFE = ("proved", "unreachable")


def analyse(driver: str, text: str, domain: str) -> dict[str, Any]:
    """The JSON report on a text, or `{"error": why}`."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, driver)
        path.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "duet", "analyze", "--model", "linux", "--format", "json", "--domain", domain]
        command += ["--properties", "assertion,array-bounds,overflow", "--timeout", "300", str(path)]
        if CACHE.is_dir():  # for the headers that lie beside fetched drivers
            command += ["-I", str(CACHE)]
        return reported(command, ROOT)


def reported(command: list[str], folder: Path | None = None) -> dict[str, Any]:
    """What a command that runs in a folder reports in JSON, or `{"error": why}`."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    try:
        report: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return {"error": (done.stderr.strip() or "no output").splitlines()[-1]}
    return report if report["status"] == "complete" else {"error": report["status"]}


def verdict(report: dict[str, Any], mutant: Mutant) -> str:
    """What the analyzer says of the affected checks: proved, unproved, or why there is no answer."""
    if "error" in report:
        return f"error: {report['error']}"
    found = [
        check["status"]
        for check in report["assertions"]
        if check["property"] == mutant.property_name
        and (mutant.line == 0 or check["line"] == mutant.line)
        and mutant.text in check["expression"]
    ]
    if not found:
        return "error: the affected check is not there"
    return "proved" if all(status in SAFE for status in found) else "unproved"


@click.command()
@click.argument("drivers", nargs=-1)
@click.option("--domain", default="interval", show_default=True)
@click.option("-j", "--jobs", default=2, show_default=True, help="Runs at a time.")
@click.option("--kind", help="Only defects of this kind.")
@click.option("--list", "only_list", is_flag=True, help="Only say which defects there are.")
def main(drivers: tuple[str, ...], domain: str, jobs: int, kind: str | None, only_list: bool) -> None:
    """Seed defects and see whether the affected checks turn unproved."""
    paths = [CACHE / name for name in drivers] or sorted(CACHE.glob("*.c"))
    mutants = [m for path in paths for m in every(read(str(path), path.name)) if kind in (None, m.kind)]
    if only_list:
        for mutant in mutants:
            click.echo(f"{mutant.driver}: {mutant.kind}: {mutant.what}")
        click.echo(f"{len(mutants)} defects")
        return
    counts: Counter[tuple[str, str]] = Counter()
    with ThreadPoolExecutor(jobs) as pool:
        texts = dict.fromkeys((m.driver, text) for m in mutants for text in (m.right, m.wrong))
        reports = {key: pool.submit(analyse, *key, domain) for key in texts}
        for mutant in mutants:
            right, wrong = (
                verdict(reports[mutant.driver, text].result(), mutant) for text in (mutant.right, mutant.wrong)
            )
            result = _result(right, wrong)
            counts[mutant.kind, result] += 1
            click.echo(f"{mutant.driver}: {mutant.kind}: {mutant.what}: {result}{_why(right, wrong)}")
    for name in sorted({name for name, _ in counts}):
        found = {result: count for (other, result), count in sorted(counts.items()) if other == name}
        click.echo(f"{name}: " + ", ".join(f"{count} {result}" for result, count in found.items()))
    caught, missed = (sum(n for (_, r), n in counts.items() if r == word) for word in ("caught", "MISSED"))
    share = f"{caught / (caught + missed):.1%}" if caught + missed else "-"
    click.echo(f"{len(mutants)} defects, {caught + missed} with a check proved before: {caught} caught ({share})")
    sys.exit(1 if missed else 0)


def _result(right: str, wrong: str) -> str:
    if "error" in right or "error" in wrong:
        return "error"
    if right != "proved":
        return "not proved before"
    return "caught" if wrong == "unproved" else "MISSED"


def _why(right: str, wrong: str) -> str:
    return "".join(f" ({text})" for text in (right, wrong) if text.startswith("error"))


if __name__ == "__main__":
    main()
