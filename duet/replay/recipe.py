"""The schedule file: all that it takes to run a C program again so that one check fails, as JSON (`duet.schedule/1`).

Paths are as they were given, so a file is replayed from the folder that it was written from.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from duet.errors import UsageError
from duet.options import FrontendOptions
from duet.result import Assertion, Check, Move, Run

SCHEMA = "duet.schedule/1"


@dataclass(frozen=True, slots=True)
class Recipe:
    """What to compile, how its threads are started, the check that is to fail, and the schedule in which it does.

    `files` are paths with the SHA-256 of their contents. `entries` are the functions that run as threads where no
    `main` starts them, after `init` if that is not empty. `other` is the place (file, line) of the second access of a
    race, ("", 0) for other checks. With `has_twins` other checks of this kind may fail at the same place, too.
    """

    files: tuple[tuple[str, str], ...]
    check: Check
    moves: tuple[Move, ...]
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    std: str = ""
    entries: tuple[str, ...] = ()
    init: str = ""
    is_parameterized: bool = False
    other: tuple[str, int] = ("", 0)
    has_twins: bool = False


def recipe_of(run: Run, options: FrontendOptions, assertion: Assertion, has_twins: bool = False) -> Recipe:
    """The recipe of a check with a schedule. *Raises*: UsageError where a file cannot be read."""
    if options.data_model != "LP64":
        raise UsageError(f"programs of the data model {options.data_model} are not run")
    check = assertion.check
    places = [(access.stack[-1].file, access.stack[-1].line) for access in assertion.accesses if access.stack]
    others = [place for place in places if place != (check.file, check.line)]
    other = ("", 0) if check.property_name != "data-race" else (others or [(check.file, check.line)])[0]
    return Recipe(
        tuple((path, _digest(path)) for path in run.files),
        check,
        assertion.schedule,
        options.include_dirs,
        options.defines,
        options.std,
        () if run.mode == "main" else run.entries,
        options.init or "",
        options.parameterized,
        other,
        has_twins,
    )


def render(recipe: Recipe) -> str:
    """The recipe as JSON, ending in a line break."""
    values = asdict(recipe)
    values["moves"] = [asdict(move) | {"values": dict(move.values)} for move in recipe.moves]
    return json.dumps({"schema": SCHEMA, **values}, indent=1) + "\n"


def read(path: str) -> Recipe:
    """The recipe in a file, about files that have not changed since. *Raises*: UsageError."""
    try:
        values = json.loads(Path(path).read_text(encoding="utf-8"))
        if values["schema"] != SCHEMA:
            raise UsageError(f"{path}: schema is {values['schema']!r}, not {SCHEMA!r}")
        found = _parsed(values)
    except OSError as error:
        raise UsageError(f"{path}: cannot read this file: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{path} is no schedule as 'duet verify --schedules DIR' writes them: {error}") from error
    changed = [name for name, digest in found.files if _digest(name) != digest]
    if changed:
        raise UsageError(f"{path} is about other files, or they have changed since: {', '.join(changed)}")
    return found


def _parsed(values: dict[str, Any]) -> Recipe:
    moves = tuple(
        Move(**{**move, "values": tuple((str(name), str(value)) for name, value in move["values"].items())})
        for move in values["moves"]
    )
    file, line = values["other"]
    return Recipe(
        tuple((str(name), str(digest)) for name, digest in values["files"]),
        Check(**values["check"]),
        moves,
        _names(values["include_dirs"]),
        _names(values["defines"]),
        str(values["std"]),
        _names(values["entries"]),
        str(values["init"]),
        bool(values["is_parameterized"]),
        (str(file), int(line)),
        bool(values["has_twins"]),
    )


def _names(values: Iterable[Any]) -> tuple[str, ...]:
    return tuple(str(value) for value in values)


def _digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise UsageError(f"{path}: cannot read this file: {error.strerror}") from error
