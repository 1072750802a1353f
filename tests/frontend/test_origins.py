"""Origins of values are made and told apart by one module."""

from __future__ import annotations

import re
from pathlib import Path

import duet.frontend
from duet.frontend.ctypes import origins
from duet.frontend.ctypes.values import ANYTHING, EXTERNAL, addresses

ROOM = Path(duet.frontend.__file__).parent


def test_kinds_of_origins_are_told_apart() -> None:
    found = frozenset(
        (origins.of_function("f"), origins.of_thread("t"), origins.of_content("x.y"), "o", ANYTHING, EXTERNAL)
    )
    assert origins.functions(found) == ["f"]
    assert origins.threads(found) == ["t"]
    assert origins.contents(found) == ["x.y"]
    assert origins.content("o") is None
    assert addresses(found) == found - {origins.of_content("x.y")}


def test_nobody_else_takes_an_origin_apart() -> None:
    pattern = re.compile(r"\[:-2\]|endswith\(\"\(\)\"\)|\bCONTENT\b|\"thread \"")
    places = [
        f"{path.relative_to(ROOM)}:{number}"
        for path in sorted(ROOM.rglob("*.py"))
        if path.relative_to(ROOM).as_posix() not in ("ctypes/origins.py", "ctypes/values.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert places == []
