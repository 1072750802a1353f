"""What an assignment reads is checked before the element that it writes, which is accessed last."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.options import AnalysisOptions, FrontendOptions
from duet.reading import read

START = """extern int any(void);
int a[3], b[3];
int f(int x) { return x + 1; }
int main(void)
{
    int i = any() & 7;
    a[i] ="""
VALUES = ["b[i]", "f(b[i])", "1 + (b[i] > 0 ? 2 : 3)"]


@pytest.mark.parametrize("value", VALUES)
def test_what_is_read_is_checked_first(tmp_path: Path, value: str) -> None:
    source = tmp_path / "a.c"
    source.write_text(f"{START}\n        {value};\n    return 0;\n}}\n")
    found = read((str(source),), FrontendOptions(properties=("array-bounds",)), Clock())
    verdicts = assertions(analyse(found.program, AnalysisOptions(domain="interval")), found.checks)
    assert {item.check.line for item in verdicts if not item.status.is_safe} == {8}


def test_the_element_that_is_written_is_checked_as_well(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(f"{START}\n        f(i);\n    return 0;\n}}\n")
    found = read((str(source),), FrontendOptions(properties=("array-bounds",)), Clock())
    verdicts = assertions(analyse(found.program, AnalysisOptions(domain="interval")), found.checks)
    assert {item.check.line for item in verdicts if not item.status.is_safe} == {7}
