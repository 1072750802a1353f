"""Seeded defects, in our own drivers: the affected check is proved on the right text and not on the wrong one."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "drivers-bench"
sys.path.insert(0, str(BENCH))

from mutants import Mutant, every, read  # noqa: E402  (the scripts lie beside the drivers, in no package)
from mutate import analyse, verdict  # noqa: E402

DRIVERS = sorted((BENCH / "drivers").glob("*.c"))
KINDS = {"dropped lock", "bounds check", "missing release", "order"}


def mutants(path: Path) -> list[Mutant]:
    return list(every(read(str(path), path.name)))


def test_defects_keep_the_lines_and_are_the_same_each_time() -> None:
    found = [mutant for path in DRIVERS for mutant in mutants(path)]
    assert found == [mutant for path in DRIVERS for mutant in mutants(path)]
    assert set(Counter(mutant.kind for mutant in found)) >= KINDS
    for mutant in found:
        assert mutant.right != mutant.wrong
        assert mutant.right.count("\n") == mutant.wrong.count("\n")


@pytest.mark.parametrize("name", ["openflag_wdt", "notify_irq_wdt"])
def test_defects_are_caught(name: str) -> None:
    caught: Counter[str] = Counter()
    for mutant in mutants(BENCH / "drivers" / f"{name}.c"):
        if caught[mutant.kind]:
            continue  # one of each kind is enough here: `mutate.py` runs them all
        right = verdict(analyse(mutant.driver, mutant.right, "interval"), mutant)
        wrong = verdict(analyse(mutant.driver, mutant.wrong, "interval"), mutant)
        assert not {text for text in (right, wrong) if text.startswith("error")}
        if right == "proved":
            assert wrong == "unproved", f"{mutant.kind}: {mutant.what}"
            caught[mutant.kind] += 1
    assert len(caught) >= 3
