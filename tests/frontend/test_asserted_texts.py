"""The condition of an assertion as reports show it."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.options import AnalysisOptions, FrontendOptions
from duet.pipeline import Job, perform

START = (
    "#include <assert.h>\nint run(int);\n#define CHECK(e) assert(e)\n"
    "#define RUN(how) do { int r = run(how); assert(r >= 0); } while (0)\nenum { FAST = 3 };\n"
)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("assert(x  > 1)", "x > 1"),
        ("CHECK(x > 1)", "x > 1"),
        ("RUN(FAST)", "r >= 0"),  # not what the macro is given
    ],
)
def test_what_a_macro_asserts_of_its_own_is_shown(written: str, shown: str, tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(f"{START}int main(void) {{ int x = run(1); {written}; return x; }}\n", encoding="utf-8")
    options = FrontendOptions(properties=("assertion",))
    found = perform(Job((str(path),), options, AnalysisOptions(verify=False)), lambda _: None)
    assert [a.check.expression for a in found.assertions] == [shown]
