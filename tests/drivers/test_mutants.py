"""Seeded defects, in our own drivers: the affected check is proved on the right text and not on the wrong one."""

from __future__ import annotations

import json
import sys
from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from duet.cli import cli

BENCH = Path(__file__).parents[2] / "drivers-bench"
sys.path.insert(0, str(BENCH))

from mutants import Mutant, every, read  # noqa: E402  (the scripts lie beside the drivers, in no package)
from mutate import analyse, verdict  # noqa: E402

DRIVERS = sorted((BENCH / "drivers").glob("*.c"))
PROPERTIES = "assertion,array-bounds,overflow"
KINDS = {"dropped lock", "bounds check", "missing release", "order"}


def mutants(path: Path) -> list[Mutant]:
    return list(every(read(str(path), path.name)))


def test_defects_keep_the_lines_and_are_the_same_each_time() -> None:
    found = [mutant for path in DRIVERS for mutant in mutants(path)]
    again = [mutant for path in DRIVERS[:2] for mutant in mutants(path)]
    assert found[: len(again)] == again
    assert set(Counter(mutant.kind for mutant in found)) >= KINDS
    for mutant in found:
        assert mutant.right != mutant.wrong
        assert mutant.right.count("\n") == mutant.wrong.count("\n")


def report(directory: Path, driver: str, text: str) -> dict[str, Any]:
    """What `mutate.analyse` gives, without a process of its own."""
    path = directory / driver
    path.write_text(text, encoding="utf-8")
    command = [
        "analyze",
        "--model=linux",
        "--format=json",
        "--domain=interval",
        "--no-verify",
        f"--properties={PROPERTIES}",
    ]
    outcome = CliRunner().invoke(cli, [*command, str(path)])
    assert outcome.exit_code in (0, 1), outcome.output
    found: dict[str, Any] = json.loads(outcome.stdout)
    assert found["status"] == "complete"
    return found


@pytest.mark.parametrize("name", ["openflag_wdt", "notify_irq_wdt"])
def test_defects_are_caught(name: str, tmp_path: Path) -> None:
    reported = cache(partial(report, tmp_path, f"{name}.c"))  # defects may have the same right text
    caught: Counter[str] = Counter()
    for mutant in mutants(BENCH / "drivers" / f"{name}.c"):
        if caught[mutant.kind]:
            continue  # one of two kinds is enough here: `mutate.py` runs them all
        if len(caught) == 2:
            break
        right = verdict(reported(mutant.right), mutant)
        wrong = verdict(reported(mutant.wrong), mutant)
        assert not {text for text in (right, wrong) if text.startswith("error")}
        if right == "proved":
            assert wrong == "unproved", f"{mutant.kind}: {mutant.what}"
            caught[mutant.kind] += 1
    assert len(caught) == 2


@pytest.mark.slow
def test_the_script_says_the_same(tmp_path: Path) -> None:
    mutant = mutants(BENCH / "drivers" / "openflag_wdt.c")[0]
    found = analyse(mutant.driver, mutant.wrong, "interval")
    expected = report(tmp_path, mutant.driver, mutant.wrong)
    assert verdict(found, mutant) == verdict(expected, mutant)
    assert [check["status"] for check in found["assertions"]] == [check["status"] for check in expected["assertions"]]
