"""Reads a suite: a directory, a TOML set, or SV-COMP task definitions."""

from __future__ import annotations

import os
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from duet.batch import settings, svcomp
from duet.batch.settings import Settings
from duet.batch.task import Published, Suite, Task
from duet.errors import SourceError, UsageError
from duet.frontend.source import commands, modules
from duet.source import Span

SUFFIXES = (".c", ".i", ".plip", ".bp")
_DEFINITIONS = (".yml", ".yaml")
_TOP = ("title", "root", "files", "hint", "published", "published_total", "options", "task")
_TASK = ("name", "file", "options", "expected", "published", "note", "skip")
_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")


def load(path: str, defaults: Settings, given: Settings) -> Suite:
    """The suite at `path`; `given` are the options of the command line, which win over those of the suite.

    *Raises*: UsageError and SourceError, with a place, for a suite that cannot be understood.
    """
    if os.path.isdir(path):
        suite = _directory(path, defaults, given)
    elif path.endswith(".toml"):
        suite = _set(path, defaults, given)
    elif path.endswith(".json"):
        suite = _database(path, defaults, given)
    elif path.endswith(_DEFINITIONS):
        suite = Suite(os.path.basename(path), svcomp.tasks(path, os.path.basename(path), defaults, given))
    elif os.path.exists(path):
        kinds = "a directory, a .toml set or a .yml task definition, or a compile_commands.json"
        raise UsageError(f"{path}: a suite is {kinds}")
    else:
        raise UsageError(f"{path}: no such directory or file")
    if not suite.tasks:
        raise UsageError(f"{path}: no tasks in this suite")
    for name, number in Counter(task.name for task in suite.tasks).items():
        if number > 1:
            raise UsageError(f"{path}: error: {number} tasks are called {name!r}; give them a 'name' each")
    return suite


def _directory(path: str, defaults: Settings, given: Settings) -> Suite:
    """Every task definition below the directory; where there is none, every file that `duet analyze` takes.

    What is hidden (`.git`, `.venv`) is left out.
    """
    files = (item.relative_to(path) for item in Path(path).rglob("*") if item.is_file())
    below = sorted(item.as_posix() for item in files if not any(part.startswith(".") for part in item.parts))
    definitions = [name for name in below if name.endswith(_DEFINITIONS)]
    found = [
        task
        for name in definitions
        if svcomp.is_definition(os.path.join(path, name))
        for task in svcomp.tasks(os.path.join(path, name), name, defaults, given)
    ]
    if not found:
        frontend, analysis = settings.merge((defaults, given))
        names = [name for name in below if name.endswith(SUFFIXES)]
        found = [Task(name, (os.path.join(path, name),), frontend, analysis) for name in names]
    return Suite(os.path.basename(os.path.abspath(path)), tuple(found))


def _database(path: str, defaults: Settings, given: Settings) -> Suite:
    """Each file that a compilation database compiles; the functions of one without a `main` run beside each other."""
    frontend, analysis = settings.merge((defaults, given))
    tasks = []
    for unit in commands.read_commands(path):
        is_library = frontend.entries is None and not modules.has_main(unit.path)
        entries = ("all",) if is_library else frontend.entries
        own = commands.with_units(replace(frontend, entries=entries), (unit,))
        note = "no main: every function that nothing calls runs as a thread" if is_library else ""
        tasks.append(Task(_named(unit.path, path), (unit.path,), own, analysis, note=note))
    return Suite(os.path.basename(os.path.dirname(os.path.abspath(path))), tuple(tasks))


def _named(file: str, database: str) -> str:
    """The name of a file as a task: below the directory of the database, if it is there."""
    name = os.path.relpath(file, os.path.dirname(database) or ".")
    return name.replace("../", "") if name.startswith("..") else name


def _set(path: str, defaults: Settings, given: Settings) -> Suite:
    """A TOML set: `docs/batch.md` describes the format."""
    text, table = _toml(path)
    place = _Place(path, text)
    with place("", 0):
        _known(table, _TOP)
        title = _text(table, "title") or Path(path).stem
        hint = _text(table, "hint")
        published = _text(table, "published")
        total = _published(table, "published_total")
        patterns = _texts(table, "files")
        root = os.path.normpath(os.path.join(os.path.dirname(path), _text(table, "root") or "."))
        entries = _tables(table)
    with place("options", 0):
        common = settings.read(_table(table, "options"), os.path.dirname(path))
    layers = (defaults, common)
    tasks: dict[str, Task] = {}
    for pattern in patterns:
        for name in _glob(root, pattern):
            tasks[name] = Task(name, (os.path.join(root, name),), *settings.merge((*layers, given)))
    for number, entry in enumerate(entries):
        with place("task", number):
            task = _task(entry, root, os.path.dirname(path), (*layers, given))
            if task.name in tasks and any(
                other.get("name", other.get("file")) == task.name for other in entries[:number]
            ):
                raise UsageError(f"a second task {task.name!r}; give it a 'name'")
            tasks[task.name] = task
    if tasks and hint and not any(os.path.exists(file) for task in tasks.values() for file in task.files):
        raise UsageError(f"{path}: none of the files is in {root}: {hint}")
    return Suite(title, tuple(tasks.values()), published, total)


def _task(entry: Mapping[str, object], root: str, directory: str, layers: tuple[Settings, ...]) -> Task:
    """One `[[task]]`; its own options come before those of the command line."""
    _known(entry, _TASK)
    file = _text(entry, "file")
    if not file:
        raise UsageError("a task needs a 'file'")
    own = settings.read(_table(entry, "options"), directory)
    expected = entry.get("expected")
    if expected is not None and not isinstance(expected, bool):
        raise UsageError("'expected' must be true (every check holds) or false")
    return Task(
        _text(entry, "name") or file,
        (os.path.normpath(os.path.join(root, file)),),
        *settings.merge((*layers[:-1], own, layers[-1])),
        expected=expected,
        published=_published(entry, "published"),
        note=_text(entry, "note"),
        skipped=_text(entry, "skip"),
    )


def _published(entry: Mapping[str, object], name: str) -> Published | None:
    table = _table(entry, name)
    if not table:
        return None
    _known(table, ("checks", "proved"))
    checks, proved = table.get("checks"), _table(table, "proved")
    if not isinstance(checks, int) or not all(isinstance(number, int) for number in proved.values()):
        raise UsageError(f"{name!r} needs 'checks' and 'proved' by domain, as whole numbers")
    return Published(checks, tuple((domain, number) for domain, number in proved.items() if isinstance(number, int)))


class _Place:
    """`with place(header, n):` puts the n-th table of that name in front of error messages."""

    def __init__(self, path: str, text: str) -> None:
        self._path, self._lines = path, text.splitlines()
        self._header, self._number = "", 0

    def __call__(self, header: str, number: int) -> _Place:
        self._header, self._number = header, number
        return self

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, UsageError):
            raise SourceError(str(error), Span(self._path, self._line(), 1)) from error

    def _line(self) -> int:
        pattern = re.compile(rf"\s*\[+\s*{re.escape(self._header)}\s*\]+" if self._header else r"")
        lines = [number for number, line in enumerate(self._lines, 1) if pattern.match(line)]
        return lines[self._number] if self._number < len(lines) else 1


def _toml(path: str) -> tuple[str, dict[str, object]]:
    try:
        text = Path(path).read_text(encoding="utf-8")
        return text, tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise SourceError(f"cannot read this set: {reason}", Span(path, 1, 1)) from error
    except tomllib.TOMLDecodeError as error:
        found = _PLACE.search(str(error))
        line, column = (int(found[1]), int(found[2])) if found else (1, 1)
        raise SourceError(f"not TOML: {_PLACE.sub('', str(error))}", Span(path, line, column)) from error


def _glob(root: str, pattern: str) -> Iterator[str]:
    try:
        found = sorted(item for item in Path(root).glob(pattern) if item.is_file())
    except (ValueError, NotImplementedError) as error:
        raise UsageError(f"'files' has a pattern that cannot be used, {pattern!r}: {error}") from error
    yield from (item.relative_to(root).as_posix() for item in found if item.name.endswith(SUFFIXES))


def _known(table: Mapping[str, object], names: tuple[str, ...]) -> None:
    for name in table:
        if name not in names:
            raise UsageError(f"unknown key {name!r}; there are {', '.join(names)}")


def _text(table: Mapping[str, object], name: str) -> str:
    value = table.get(name, "")
    if not isinstance(value, str):
        raise UsageError(f"{name!r} must be a string")
    return value


def _texts(table: Mapping[str, object], name: str) -> list[str]:
    value = table.get(name, [])
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise UsageError(f"{name!r} must be a list of strings")
    return [str(text) for text in value]


def _table(table: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = table.get(name, {})
    if not isinstance(value, dict):
        raise UsageError(f"{name!r} must be a table")
    return value


def _tables(table: Mapping[str, object]) -> list[Mapping[str, object]]:
    value = table.get("task", [])
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise UsageError("'task' must be tables, each headed [[task]]")
    return value
