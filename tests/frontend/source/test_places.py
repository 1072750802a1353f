"""Where tokens of the parsed text stand in the files that the user wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.source.places import Places, align, find_places, is_library
from duet.source import Span


def places(tmp_path: Path, user: str, parsed: str) -> tuple[Places, str]:
    file = tmp_path / "a.c"
    file.write_text(user, encoding="utf-8")
    return find_places(f'# 1 "{file}"\n{parsed}', str(file), ()), str(file)


def test_columns_of_lines_that_stay_are_kept(tmp_path: Path) -> None:
    found, file = places(tmp_path, "int x;\nx = 1;\n", "int x;\nx = 1;\n")
    assert found.column(file, 2, 5) == 5


def test_what_comes_from_a_macro_stands_at_its_use(tmp_path: Path) -> None:
    found, file = places(tmp_path, "int y = TWICE(a) + b;\n", "int y = ((a) * 2) + b;\n")
    assert found.column(file, 1, 9) == 9
    assert found.column(file, 1, len("int y = ((a) * 2) + b")) == len("int y = TWICE(a) + b")


def test_lines_that_nobody_knows_keep_their_columns(tmp_path: Path) -> None:
    found, file = places(tmp_path, "int x;\n", "int x;\n")
    assert found.column(file, 99, 7) == 7
    assert found.column("other.c", 1, 7) == 7


def test_headers_of_the_system_are_not_the_users(tmp_path: Path) -> None:
    own = tmp_path / "inc"
    own.mkdir()
    (own / "x.h").write_text("int x;\n", encoding="utf-8")
    text = f'# 1 "{own / "x.h"}"\nint x;\n'
    assert str(own / "x.h") in find_places(text, "a.c", ()).source
    assert str(own / "x.h") not in find_places(text, "a.c", (own,)).source
    assert is_library("<built-in>", ())
    assert is_library("/usr/include/stdio.h", ())
    assert is_library(str(own / "x.h"), (own,))
    assert not is_library(str(own / "x.h"), (tmp_path / "other",))


def test_files_that_cannot_be_read_have_no_lines() -> None:
    assert find_places("int x;\n", "/nowhere/a.c", ()).source == {}


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("assert(x  >  0);", 1, "assert(x > 0)"),
        ("assert(f(x, 1) &&\n  y);", 1, "assert(f(x, 1) && y)"),
        ("a = assert(/* no */ x);", 5, "assert(x)"),
        ("assert (x);", 1, "assert(x)"),
        ("assert(x", 1, None),
        ("x + y", 1, None),
        ("assert(x);", 0, None),
    ],
)
def test_calls_are_told_as_written(tmp_path: Path, text: str, column: int, expected: str | None) -> None:
    found, file = places(tmp_path, text, text)
    call = found.call(Span(file, 1, column))
    assert (None if call is None else str(call)) == expected


def test_there_is_no_call_in_lines_that_nobody_knows(tmp_path: Path) -> None:
    found, file = places(tmp_path, "f(x);", "f(x);")
    assert found.call(Span(file, 9, 1)) is None
    assert found.call(Span("other.c", 1, 1)) is None


def test_tokens_are_matched_with_those_of_the_user() -> None:
    found = align("a + ( b ) ;", "a + B;")
    assert [found.column(column) for column in (1, 3, 11)] == [1, 3, 6]
    assert found.column(7) in (3, 5)
    assert align("a", "").column(7) == 7
    assert align("", "a").column(7) == 7
