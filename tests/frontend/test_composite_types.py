"""An array that is declared several times has the length that one of the declarations gives (C11 6.2.7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.options import AnalysisOptions, FrontendOptions
from duet.pipeline import Job, perform

DECLARED = (
    "extern int a[]; extern int a[4];",
    "extern int a[4]; extern int a[];",
    "extern int a[]; int a[4];",
    "int a[]; int a[4];",
)


@pytest.mark.parametrize("index", [3, 4])
@pytest.mark.parametrize("declared", DECLARED)
def test_the_length_of_an_array(tmp_path: Path, declared: str, index: int) -> None:
    source = tmp_path / "a.c"
    source.write_text(f"{declared}\nint main(void) {{ return a[{index}]; }}\n")
    job = Job((str(source),), FrontendOptions(properties=("array-bounds",)), AnalysisOptions(domain="interval"))
    found = perform(job, lambda _: None).assertions
    assert all(item.status.is_safe for item in found) == (index == 3)
    assert found or index == 3
