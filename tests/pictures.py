"""The pictures of `docs/how-it-works.md`, made from real runs: `python -m tests.pictures` writes them anew.

Each is what duet prints of the program in the page (`show cfg --dot`, `show interference --dot`, a schedule in JSON),
drawn as columns, one for each thread.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "how-it-works.md"
TARGET = ROOT / "docs" / "pictures"
_EDGE = re.compile(r'^ *(\w+) -> (\w+) \[label="([^"]*)"', re.MULTILINE)
_NODE = re.compile(r'^ *(c\d+) \[label="(\w+): ([^"]*)"\]', re.MULTILINE)
_PLACE = re.compile(r"  \([^)]*:(\d+)\)$")
_WIDTH, _ROW, _GAP, _TOP = 330, 44, 190, 46
_STYLE = (
    "text{font:13px monospace;fill:#1a1a1a}.head{font-weight:bold;font-size:14px}.box{fill:#fff;stroke:#555}"
    ".flow{fill:none;stroke:#9a4d00;stroke-width:2}.none{fill:none;stroke:#767676;stroke-dasharray:5 4}"
    ".step{fill:none;stroke:#555}.label{font-size:12px;fill:#9a4d00}.gone{font-size:12px;fill:#5f5f5f}"
)


@dataclass(frozen=True)
class Box:
    """A command in a column; `line` is where it stands in the program."""

    column: int
    row: int
    text: str
    line: str

    @property
    def x(self) -> int:
        return 20 + self.column * (_WIDTH + _GAP)

    @property
    def y(self) -> int:
        return _TOP + self.row * _ROW


def program(is_safe: bool = True) -> str:
    """The program of the page; without the lock in `main`, where it is to fail."""
    found = re.search(r"```c title=\"handover.c\"\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    text = found[1]
    return text if is_safe else re.sub(r"(int main.*)pthread_mutex_lock\(&m\);\n", r"\1\n", text, flags=re.DOTALL)


def printed(text: str, *arguments: str) -> str:
    """What duet prints of a program."""
    with tempfile.TemporaryDirectory() as directory:
        (Path(directory) / "handover.c").write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "duet", *arguments]
        return subprocess.run(
            command, cwd=directory, capture_output=True, text=True, check=False, env=os.environ
        ).stdout


def commands(graph: str) -> dict[str, list[tuple[str, str]]]:
    """The commands of each thread as (text, line), in the order of `show cfg --dot`."""
    found: dict[str, list[tuple[str, str]]] = {}
    for part in graph.split("subgraph ")[1:]:
        name = re.search(r'label="(\w+)"', part)
        assert name is not None
        found[name[1]] = [_split(text) for _, _, text in _EDGE.findall(part)]
    return found


def _split(text: str) -> tuple[str, str]:
    place = _PLACE.search(text)
    return _PLACE.sub("", text), place[1] if place else ""


def flows(graph: str) -> list[tuple[tuple[str, str, str], tuple[str, str, str], str]]:
    """The data flows between threads, each from a command to one, with the variable."""
    nodes = {name: (thread, *_split(text)) for name, thread, text in _NODE.findall(graph)}
    return [(nodes[one], nodes[other], label) for one, other, label in _EDGE.findall(graph)]


def columns(found: Mapping[str, Sequence[tuple[str, str]]]) -> dict[tuple[str, str, str], Box]:
    """A box for each command."""
    return {
        (thread, text, line): Box(column, row, text, line)
        for column, (thread, listed) in enumerate(found.items())
        for row, (text, line) in enumerate(listed)
    }


def svg(title: str, heads: Iterable[str], boxes: Iterable[Box], more: Iterable[str]) -> str:
    """A picture; `more` is drawn over the boxes."""
    boxes, heads = tuple(boxes), tuple(heads)
    width = 40 + len(heads) * _WIDTH + (len(heads) - 1) * _GAP
    height = max(box.y for box in boxes) + _ROW + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="t">',
        f'<title id="t">{escape(title)}</title><style>{_STYLE}</style><rect width="100%" height="100%" fill="#fff"/>',
        '<defs><marker id="a" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z" fill="context-stroke"/></marker></defs>',
    ]
    for column, head in enumerate(heads):
        parts.append(f'<text class="head" x="{20 + column * (_WIDTH + _GAP)}" y="24">{escape(head)}</text>')
    for box in boxes:
        parts.append(f'<rect class="box" x="{box.x}" y="{box.y}" width="{_WIDTH}" height="{_ROW - 14}" rx="4"/>')
        shown = f"{box.line + ': ' if box.line else ''}{box.text}"
        parts.append(f'<text x="{box.x + 8}" y="{box.y + 20}">{escape(shown[:40])}</text>')
    return "\n".join((*parts, *more, "</svg>\n"))


def _arrow(one: Box, other: Box, kind: str, label: str) -> str:
    """An arrow from the side of one box to the side of another one."""
    is_right = other.column > one.column
    x1, x2 = (one.x + _WIDTH, other.x - 2) if is_right else (one.x, other.x + _WIDTH + 2)
    y1, y2 = one.y + 15, other.y + 15
    bend = (x1 + x2) // 2
    path = f'<path class="{kind}" marker-end="url(#a)" d="M{x1},{y1} C{bend},{y1} {bend},{y2} {x2},{y2}"/>'
    if kind == "none":
        return f'{path}<text class="gone" x="{x1 + 34}" y="{y1 - 6}">{escape(label)}</text>'
    return f'{path}<text class="label" text-anchor="middle" x="{bend}" y="{(y1 + y2) // 2 - 4}">{escape(label)}</text>'


def pictures() -> dict[str, str]:
    """The pictures by name."""
    found = commands(printed(program(), "show", "cfg", "handover.c", "--dot"))
    found = {name: found[name] for name in sorted(found, reverse=True)}
    boxes = columns(found)
    heads = [f"thread {name}" for name in found]
    inter = flows(printed(program(), "show", "interference", "handover.c", "--dot"))
    drawn, kept = [], set()
    for one, other, name in inter:
        if name in ("data", "ready"):
            kept.add((one, other))
            drawn.append(_arrow(boxes[one], boxes[other], "flow", name))
    reader = next(key for key in boxes if key[1].startswith("assert data"))
    for key, box in boxes.items():
        if key[0] != reader[0] and key[1].startswith("data :=") and (key, reader) not in kept:
            drawn.append(_arrow(box, boxes[reader], "none", "does not get there"))
    steps = json.loads(printed(program(False), "verify", "handover.c", "--format", "json", "--exit-zero"))
    failing = next(check for check in steps["assertions"] if check.get("schedule"))
    moves = failing["schedule"]
    threads = list(dict.fromkeys(move["thread"] for move in moves))
    listed = [
        Box(threads.index(move["thread"]), row, move["text"], str(move["line"])) for row, move in enumerate(moves)
    ]
    return {
        "threads": svg("The commands of the two threads", heads, boxes.values(), ()),
        "flows": svg("The data flows between the threads", heads, boxes.values(), drawn),
        "schedule": svg("A schedule in which the assertion fails", [f"thread {t}" for t in threads], listed, ()),
    }


if __name__ == "__main__":
    TARGET.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (TARGET / f"{name}.svg").write_text(text, encoding="utf-8")
