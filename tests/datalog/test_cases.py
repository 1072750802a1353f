"""Every case folder, with every engine that is present: `facts` in, exactly `expected` out."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from datalog import ruleset
from datalog.relation import Row
from tests.datalog.engines import ALL, engine_or_skip

CASES = sorted(path.parent for path in Path(__file__).parent.glob("*/facts"))
OUTPUTS = ("coreach", "meets", "flow")


def _read(path: Path) -> dict[str, list[Row]]:
    """Rows by relation, from lines `relation number...`."""
    found: dict[str, list[Row]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, *numbers = line.split()
            found[name].append(tuple(map(int, numbers)))
    return found


@pytest.mark.parametrize("engine", ALL)
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_case(case: Path, engine: str) -> None:
    expected = _read(case / "expected")
    found = engine_or_skip(engine).run(ruleset.interference(), _read(case / "facts"), OUTPUTS, 60)
    assert {name: sorted(rows) for name, rows in found.items()} == {name: sorted(expected[name]) for name in OUTPUTS}


def test_there_are_cases() -> None:
    assert len(CASES) >= 5


@pytest.mark.parametrize("engine", ALL)
def test_only_what_is_asked_for_comes_out(engine: str) -> None:
    assert set(engine_or_skip(engine).run(ruleset.interference(), {}, ("meets",))) == {"meets"}


@pytest.mark.parametrize("engine", ALL)
@pytest.mark.parametrize("row", [(1,), (1, 2, 3), (0, -1), (0, 2**31)], ids=str)
def test_rows_that_do_not_fit_are_refused(engine: str, row: Row) -> None:
    with pytest.raises(ValueError, match="not a tuple of cstart"):
        engine_or_skip(engine).run(ruleset.interference(), {"cstart": [row]}, ("coreach",))
