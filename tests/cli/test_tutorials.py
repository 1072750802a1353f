"""The tutorials in `docs` do what they say: files are written and changed, and commands print what stands below them.

In what a command prints, `...` stands for anything, in a line or for lines; seconds may be others.
"""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Duet

DOCS = Path(__file__).parents[2] / "docs"
SLOW = ("tutorial-ticket-lock",)
TUTORIALS = [
    pytest.param(path, marks=pytest.mark.slow) if path.stem in SLOW else path
    for path in (DOCS / "index.md", *sorted(DOCS.glob("tutorial-*.md")))
]
_BLOCK = re.compile(r'^```(c|console)(?: title="([^"]+)"( edit)?)?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_SECONDS = re.compile(r"\bin [\d.]+ s\b")


def _pattern(text: str) -> re.Pattern[str]:
    """What a command may print that shall print a text."""
    parts: list[str] = []
    for line in _SECONDS.sub("in N s", text).splitlines(keepends=True):
        parts.append(r"(?:.*\n)*?" if line == "...\n" else re.escape(line).replace(r"\.\.\.", ".*"))
    return re.compile("".join(parts))


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc to compile programs with")
@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: path.stem if isinstance(path, Path) else None)
def test_a_tutorial_is_true(tutorial: Path, duet: Duet, tmp_path: Path) -> None:
    for language, title, edit, body in _BLOCK.findall(tutorial.read_text(encoding="utf-8")):
        if language == "console":
            for command, printed in re.findall(r"^\$ duet (.*\n)((?:[^$].*\n)*)", body, re.MULTILINE):
                out = duet(*shlex.split(command)).out
                assert _pattern(printed).fullmatch(_SECONDS.sub("in N s", out)), f"duet {command}\n{out}"
        elif edit:
            before, after = body.split("=>\n")
            text = (tmp_path / title).read_text(encoding="utf-8")
            assert text.count(before) == 1, before
            (tmp_path / title).write_text(text.replace(before, after), encoding="utf-8")
        else:
            (tmp_path / title).write_text(body, encoding="utf-8")
