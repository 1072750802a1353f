"""Options of a compiler on the command line, as they stand in a Makefile."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from duet.cli import cli
from duet.errors import UsageError

PROGRAM = """#include <assert.h>
#if __STDC_VERSION__ >= 201112L || !defined __OPTIMIZE__ || !defined _REENTRANT || SIZE != 3
#error
#endif
int main(void) { assert(given == 3); return 0; }
"""


def analyzed(folder: Path, *words: str) -> Result:
    """What an analysis says of a program that asks for its options."""
    (folder / "given.h").write_text("enum { given = 3 };\n", encoding="utf-8")
    (folder / "a.c").write_text(PROGRAM, encoding="utf-8")
    return CliRunner().invoke(cli, ["analyze", "--no-verify", *words, str(folder / "a.c")])


def test_they_are_taken_as_they_stand(tmp_path: Path) -> None:
    words = ("-W", "-Wall", "-O2", "-g3", "-std=c99", "-pthread", "-DSIZE=3", "-lm", "-isystem", str(tmp_path))
    found = analyzed(tmp_path, *words, "-include", str(tmp_path / "given.h"))
    assert found.exit_code == 0, found.output
    assert analyzed(tmp_path, *words[:4], *words[5:], "-include", str(tmp_path / "given.h")).exit_code == 2


@pytest.mark.parametrize("word", ["-format=json", "-funsigned-char", "-model", "-nonsense", "-timeout=3"])
def test_others_are_refused(tmp_path: Path, word: str) -> None:
    found = analyzed(tmp_path, word)
    assert "o such option" in found.output or "is not supported" in str(found.exception)


def test_they_are_for_programs(tmp_path: Path) -> None:
    assert isinstance(analyzed(tmp_path, "--model", "linux", "-O2").exception, UsageError)
