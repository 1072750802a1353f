"""Each warning has a paragraph in `docs/messages.md` that says what it means, and no other paragraph is there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOLD = re.findall(
    r"^### ([a-z0-9-]+)\n\n(?=\S)", (ROOT / "docs" / "messages.md").read_text(encoding="utf-8"), re.MULTILINE
)
PLACES = {"warn": 1, "warn_once": 1, "Warning": 3}
"""What makes warnings, and which of its arguments is the code."""


def _codes(tree: ast.Module) -> Iterator[str]:
    """The codes of the warnings that a module makes, those that are named `CODE` too."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id="CODE")], value=ast.Constant(value=str(code))):
                yield code
            case ast.Call(func=ast.Attribute(attr=name), args=given) if name in PLACES and len(given) > PLACES[name]:
                match given[PLACES[name]]:
                    case ast.Constant(value=str(code)):
                        yield code
                    case ast.Name(id="CODE" | "code"):
                        pass
                    case other:
                        raise AssertionError(ast.unparse(other))


def test_every_warning_is_explained() -> None:
    made = {
        code for path in sorted((ROOT / "duet").rglob("*.py")) for code in _codes(ast.parse(path.read_text("utf-8")))
    }
    assert sorted(made) == sorted(TOLD)
