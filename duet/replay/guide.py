"""What the runtime is told: where instructions are in the source, the schedule, and what is to fail.

One line each, a word and five numbers, as `runtime/guide.c` reads them.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from duet.replay.build import LIMIT_SECONDS, SECTION, Built
from duet.replay.recipe import Recipe
from duet.result import Check, Move

KINDS: Mapping[str, int] = {
    "assertion": 1,
    "overflow": 2,
    "array-bounds": 3,
    "division-by-zero": 4,
    "null-dereference": 5,
    "data-race": 6,
    "deadlock": 7,
    "unreach-call": 8,
    "use-after-free": 10,
}
"""Numbers of `enum kind` of the runtime by property."""
LABEL, LABEL_KIND = "ERROR", 9
"""The expression of a check that a label is not reached, and its number."""
EFFECTS = {"read": "r", "write": "w", "update": "u", "start": "s", "join": "j"}
ERRORS = ("reach_error", "__VERIFIER_error")
STUBS = ("assert", "__VERIFIER_assert", "__goblint_check", "BUG_ON")
_ACCESSES = 2  # the last moves of the schedule of a race
_INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\t(\S+)")


@dataclass(frozen=True, slots=True)
class Guide:
    """The text for the runtime; the files that it numbers, from 1; the threads that it numbers, `main` being 0."""

    text: str
    files: tuple[str, ...]
    threads: tuple[str, ...]


def guide(recipe: Recipe, built: Built, attempts: int, seconds: int) -> Guide:
    """What the runtime is told of a recipe: `attempts` runs at most, none begun after so many `seconds`."""
    places = dict(_places(built))
    files = _Files()
    check = recipe.check
    second = (files.number(recipe.other[0]), recipe.other[1]) if recipe.other[0] else (0, 0)
    threads = list(dict.fromkeys(["main", *(move.thread for move in recipe.moves)]))
    lines = [_line("target", kind_of(check), files.number(check.file), check.line, *second)]
    lines.append(_line("limits", attempts, seconds, int(recipe.is_parameterized)))
    lines += [_line("line", pc, files.number(file), line) for pc, (file, line) in sorted(places.items())]
    lines += _named("stub", STUBS, built) + _named("error", ERRORS, built)
    sections = [n for n in built.functions if n.startswith("__VERIFIER_atomic_") and n[18:] not in ("begin", "end")]
    lines += _named("section", sections, built)
    lines += _threads(threads, recipe, built)
    lines += _steps(_guided(recipe), files, threads)
    return Guide("".join(lines), tuple(files.known), tuple(threads))


def kind_of(check: Check) -> int:
    """What fails, as the runtime numbers it; 0 for what it does not see."""
    is_label = check.property_name == "unreach-call" and check.expression == LABEL
    return LABEL_KIND if is_label else KINDS.get(check.property_name, 0)


class _Files:
    """Files by number; one that has several names has one number."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self._resolved: dict[str, str] = {}

    def number(self, name: str) -> int:
        if name not in self._resolved:
            self._resolved[name] = str(Path(name).resolve())
        return self.known.setdefault(self._resolved[name], len(self.known) + 1)


def _line(word: str, *numbers: int) -> str:
    return f"{word} {' '.join(map(str, (*numbers, 0, 0, 0, 0, 0)[:5]))}\n"


def _named(word: str, names: Iterable[str], built: Built) -> list[str]:
    return [_line(word, address) for name in names for address in built.functions.get(name, ())]


def _threads(threads: list[str], recipe: Recipe, built: Built) -> list[str]:
    """The functions of threads: the n-th thread of a function in the schedule is the n-th that is started."""
    lines: list[str] = []
    for number, name in enumerate(threads):
        function = name.partition("#")[0]
        wrapped = f"duet_{function}" if function in recipe.entries else function
        lines += [_line("thread", number, address) for address in built.functions.get(wrapped, ())[:1] if number]
    return lines


def _guided(recipe: Recipe) -> tuple[Move, ...]:
    """The moves that runs follow: all but the accesses of a race, in front of which both threads are."""
    return recipe.moves[:-_ACCESSES] if recipe.check.property_name == "data-race" else recipe.moves


def _steps(moves: Iterable[Move], files: _Files, threads: list[str]) -> Iterator[str]:
    for move in moves:
        if not move.line:
            continue
        thread, place = threads.index(move.thread), (files.number(move.file), move.line)
        if move.given is not None:
            yield _line("input", thread, *place, _as_int64(move.given))
        if move.effect in EFFECTS:
            yield _line("step", thread, ord(EFFECTS[move.effect]), *place)


def _as_int64(value: int) -> int:
    """The value that has the same 64 bits."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def _places(built: Built) -> Iterator[tuple[int, tuple[str, int]]]:
    """Where each call in the program's own code is in the source, by the address that it returns to."""
    returns = list(_returns(built.executable))
    asked = "".join(f"{address - 1:x}\n" for address in returns)
    told = _output(["addr2line", "-e", str(built.executable)], asked).splitlines()
    for address, where in zip(returns, told, strict=True):
        file, _, line = where.split(" (")[0].rpartition(":")
        if line.isdigit() and int(line) and file != "??":
            yield address, (file, int(line))


def _returns(executable: Path) -> Iterator[int]:
    is_after_call = False
    for text in _output(["objdump", "-d", "--no-show-raw-insn", "-j", SECTION, str(executable)], "").splitlines():
        found = _INSTRUCTION.match(text)
        if found is None:
            continue
        if is_after_call:
            yield int(found[1], 16)
        is_after_call = found[2].startswith("call")


def _output(command: list[str], given: str) -> str:
    return subprocess.run(
        command, input=given, capture_output=True, text=True, errors="replace", timeout=LIMIT_SECONDS, check=True
    ).stdout
