"""What headers of the system define, and nobody calls, is nobody's concern."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.lower import Lowered, lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import FrontendOptions

HEADER = """
static inline int odd(int *p) { int again(int n) { return n; } return again(*p); }
static inline int last(int *p) { return p[1]; }
"""


def _lowered(folder: Path, body: str, place: str) -> Lowered:
    headers = folder / place
    headers.mkdir(parents=True)
    (headers / "vectors.h").write_text(HEADER, encoding="utf-8")
    path = folder / "a.c"
    path.write_text(f"#include <vectors.h>\nint main(void) {{ int n = 1; {body} }}\n", encoding="utf-8")
    options = FrontendOptions(include_dirs=(str(headers),), properties=("array-bounds",))
    return lower(parse(preprocess(str(path), options).text, str(path), options), options)


@pytest.mark.parametrize(
    ("body", "place", "is_told"),
    [
        ("return n;", "usr/include", False),
        ("return odd(&n);", "usr/include", True),
        ("return n;", "own", True),
    ],
)
def test_functions_that_are_not_understood(tmp_path: Path, body: str, place: str, is_told: bool) -> None:
    found = _lowered(tmp_path, body, place)
    assert any(warning.code == "not-understood" for warning in found.warnings) is is_told


@pytest.mark.parametrize(
    ("body", "place", "is_asked"),
    [
        ("return n;", "usr/include", False),
        ("return last(&n);", "usr/include", True),
        ("return n;", "own", True),
    ],
)
def test_checks(tmp_path: Path, body: str, place: str, is_asked: bool) -> None:
    assert any(check.function == "last" for check in _lowered(tmp_path, body, place).checks) is is_asked
