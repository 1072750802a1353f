"""Compilation databases entry by entry, and what is wrong in them with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.errors import SourceError, UsageError
from duet.frontend.source.database import Entry, read_database


def entries(tmp_path: Path, text: str) -> tuple[Entry, ...]:
    file = tmp_path / "compile_commands.json"
    file.write_text(text, encoding="utf-8")
    return read_database(file)


def test_an_entry_tells_its_words(tmp_path: Path) -> None:
    first, second = entries(
        tmp_path,
        """[ {"directory": "/d", "file": "a.c", "command": "gcc -DX='1 2' -c a.c"},
        {"file": "b.c", "arguments": ["cc", "b.c"], "output": "b.o"} ]""",
    )
    assert (first.directory, first.file, first.arguments) == ("/d", "a.c", ("gcc", "-DX=1 2", "-c", "a.c"))
    assert (second.directory, second.arguments) == (".", ("cc", "b.c"))
    assert (first.span.line, second.span.line) == (1, 2)
    assert entries(tmp_path, " [ ] ") == ()


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("", "is a list of objects", 1, 1),
        ("{}", "is a list of objects", 1, 1),
        ("[\n7]", "is an object with 'file'", 2, 1),
        ('[{"file": "a.c"}\n {}]', "',' or ']' is missing", 2, 2),
        ('[{"file": "a.c"},]', "cannot read", 1, 18),
        ('[{"file": "a.c"}', "',' or ']' is missing", 1, 17),
        ('[{"file": "a.c"}] x', "text behind its end", 1, 19),
        ('[{"file": 7}]', "'file' of an entry is a string", 1, 11),
        ('[{"file": "a.c", "command": 7}]', "'command' of an entry is a string", 1, 29),
        ('[{"file": "a.c", "arguments": 7}]', "list of strings", 1, 31),
        ('[{"file": "a.c", "arguments": [7]}]', "list of strings", 1, 31),
        ('[{"file": "a.c", "command": "gcc \'"}]', "cannot read this command", 1, 29),
        ("[{}]", "has a 'file'", 1, 2),
        (r'[{"file": "a\u0000.c"}]', "'file' of an entry is a string", 1, 11),
        (r'[{"file": "\ud800"}]', "'file' of an entry is a string", 1, 11),
        ("[" * 100_000, "cannot read", 1, 2),
    ],
)
def test_what_is_wrong_has_a_place(tmp_path: Path, text: str, message: str, line: int, column: int) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        entries(tmp_path, text)
    assert caught.value.span is not None
    assert (caught.value.span.line, caught.value.span.column) == (line, column)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read this compilation database"):
        read_database(tmp_path / "missing.json")
    (tmp_path / "latin.json").write_bytes(b"\xff")
    with pytest.raises(SourceError, match="cannot read this compilation database"):
        read_database(tmp_path / "latin.json")
