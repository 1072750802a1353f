"""The table of contents of all modules: `python -m tests.contents` writes `docs/modules.md` anew."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "modules.md"
PACKAGES = ("datalog", "domains", "duet")
_HEAD = """# Modules

Every module with the first line of its docstring, by room. A room imports only what is below it in the layers of
`pyproject.toml`. `python -m tests.contents` writes this page; a test fails when it is out of date.
"""


def contents() -> str:
    """The text of the page."""
    rooms: dict[Path, list[str]] = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            room = path.parent.relative_to(ROOT)
            lines = rooms.setdefault(room, [])
            text = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n", 1)[0]
            if path.name != "__init__.py":
                lines.append(f"- `{path.stem}`: {text}")
            elif text:
                lines.insert(0, f"{text}\n")
    parts = [f"\n## {room.as_posix()}\n\n" + "\n".join(lines) + "\n" for room, lines in sorted(rooms.items())]
    return _HEAD + "".join(parts)


if __name__ == "__main__":
    TARGET.write_text(contents(), encoding="utf-8")
