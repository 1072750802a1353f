"""A declaration without a value adds nothing to a definition that has one (C11 6.9.2), in either order."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.options import AnalysisOptions, FrontendOptions
from duet.pipeline import Job, perform

DECLARED = (
    "int x = 5; int x;",
    "int x; int x = 5; int x;",
    "int x; extern int x; int x = 5; extern int x; int x;",
    "static int x = 5; static int x;",
    "static int x; static int x = 5; extern int x;",
    "_Thread_local int x = 5; _Thread_local int x;",
    "__attribute__((weak)) int x = 5; int x;",
    "int a[2] = {1, 5}; int a[2];\n#define x a[1]",
    "int a[2] = {1, 5}; int a[];\n#define x a[1]",
    "int a[]; int a[] = {1, 5}; int a[2];\n#define x a[1]",
    "struct s s; struct s { int n; } s = {5}; struct s s;\n#define x s.n",
)


@pytest.mark.parametrize("condition", ["x == 5", "x == 0"])
@pytest.mark.parametrize("declared", DECLARED)
def test_the_value_is_that_of_the_definition_which_has_one(tmp_path: Path, declared: str, condition: str) -> None:
    assert _is_proved(tmp_path, declared, condition) == (condition == "x == 5")


@pytest.mark.parametrize("files", [("int x = 5;", "int x;"), ("int x;", "int x = 5; int x;"), ("int x;", "int x;")])
def test_it_is_so_across_files(tmp_path: Path, files: tuple[str, str]) -> None:
    is_given = any("= 5" in text for text in files)
    for first, second in (files, files[::-1]):
        for value in (0, 5):
            assert _is_proved(tmp_path, first, f"x == {value}", second) == (is_given == (value == 5))


AGAIN = ("static int x = 5; extern int x;", "static int x; extern int x; static int x = 5;")


@pytest.mark.parametrize("declared", AGAIN)
def test_one_of_a_file_may_be_declared_again(tmp_path: Path, declared: str) -> None:
    for other in ("int y;", "int x = 7;", "static int x = 7; extern int x;"):
        assert _is_proved(tmp_path, declared, "x == 5", other)
        assert not _is_proved(tmp_path, declared, "x == 7", other)


def _is_proved(directory: Path, declared: str, condition: str, other: str = "") -> bool:
    names = [directory / "a.c", directory / "b.c"]
    names[0].write_text(f"#include <assert.h>\n{declared}\nint main(void) {{ assert({condition}); }}\n")
    names[1].write_text(f"{other}\n")
    job = Job(tuple(map(str, names)), FrontendOptions(properties=("assertion",)), AnalysisOptions(domain="interval"))
    found = perform(job, lambda _: None).assertions
    return bool(found) and all(item.status.is_safe for item in found)
