"""A correctness witness of SV-COMP as YAML: invariants in C (format versions 2.0 and 2.1), and ghost variables (2.1).

*Source*: correctness witnesses 2.0 of sv-witnesses, `invariant_set`, and `ghost_instrumentation` of those for
concurrent programs. A place is the first character of a statement, or of a loop; columns count from 1.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from duet.errors import UsageError
from duet.options import DATA_MODELS, Ghost, GhostUpdate, Invariant
from duet.report.witness import metadata
from duet.result import Run

VERSION = "2.1"
VERSIONS = ("2.0", VERSION)
_INVARIANTS, _GHOSTS = "invariant_set", "ghost_instrumentation"
_LOOP, _LOCATION, _FORMAT = "loop_invariant", "location_invariant", "c_expression"


@dataclass(frozen=True, slots=True)
class Witness:
    """What a witness says: of which files (with their SHA-256 sums), for which property, and its invariants.

    Files have the names by which the witness calls them.
    """

    files: Mapping[str, str]
    specification: str
    said: Said
    data_model: str = "LP64"


@dataclass(frozen=True, slots=True)
class Said:
    """Invariants, with the ghost variables that they may mention."""

    invariants: tuple[Invariant, ...] = ()
    ghosts: tuple[Ghost, ...] = ()
    updates: tuple[GhostUpdate, ...] = ()

    def mentioned(self, item: Invariant) -> frozenset[str]:
        """The ghosts that an invariant mentions."""
        words = set(re.findall(r"\w+", item.expression))
        return frozenset(ghost.name for ghost in self.ghosts if ghost.name in words)

    def needed(self) -> Said:
        """The same without ghosts that nothing mentions."""
        used = frozenset[str]().union(*map(self.mentioned, self.invariants))
        ghosts = tuple(ghost for ghost in self.ghosts if ghost.name in used)
        return Said(self.invariants, ghosts, tuple(one for one in self.updates if one.variable in used))


def render(run: Run, specification: str, said: Said, version: str = VERSION, now: datetime | None = None) -> str:
    """The witness of a run in which a property holds; `now` is when it is made."""
    entries: list[dict[str, Any]] = [
        {
            "entry_type": kind,
            "metadata": metadata(run, version, specification, now or datetime.now(UTC)),
            "content": content,
        }
        for kind, content in (
            (_GHOSTS, _instrumentation(said)),
            (_INVARIANTS, [{"invariant": _invariant(item)} for item in said.invariants]),
        )
        if kind == _INVARIANTS or said.ghosts
    ]
    return yaml.safe_dump(entries, sort_keys=False, allow_unicode=False, width=1000)


def _instrumentation(said: Said) -> dict[str, Any]:
    places: dict[tuple[str, int, int], list[GhostUpdate]] = {}
    for update in said.updates:
        places.setdefault((update.file, update.line, update.column), []).append(update)
    return {
        "ghost_variables": [
            {"name": one.name, "scope": "global", "type": one.type, "initial": _expression(one.initial)}
            for one in said.ghosts
        ],
        "ghost_updates": [
            {
                "location": {"file_name": file, "line": line, "column": column},
                "updates": [{"variable": one.variable, **_expression(one.value)} for one in found],
            }
            for (file, line, column), found in places.items()
        ],
    }


def _expression(value: str) -> dict[str, str]:
    return {"value": value, "format": _FORMAT}


def _invariant(item: Invariant) -> dict[str, Any]:
    return {
        "type": _LOOP if item.is_of_loop else _LOCATION,
        "location": {"file_name": item.file, "line": item.line, "column": item.column},
        "value": item.expression,
        "format": _FORMAT,
    }


def read(path: str) -> Witness:
    """The witness in a file. *Raises*: UsageError where it is none, or says what is not checked here."""
    try:
        entries = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {getattr(error, 'strerror', None) or 'it is not text'}") from error
    except yaml.YAMLError as error:
        raise UsageError(f"{path} is not YAML: {' '.join(str(error).split())}") from error
    try:
        return _witness(path, entries)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(f"{path} is no correctness witness: {type(error).__name__}: {error}") from error


def _witness(path: str, entries: Any) -> Witness:
    if not isinstance(entries, list) or not entries:
        raise ValueError("a witness is a list of entries")
    tasks = [entry["metadata"]["task"] for entry in entries]
    if any(task != tasks[0] for task in tasks):
        raise UsageError(f"{path}: entries about several tasks are not supported")
    found = Said()
    for entry in entries:
        version, kind = str(entry["metadata"]["format_version"]), entry["entry_type"]
        if version not in VERSIONS:
            raise UsageError(f"{path}: format version {version} is not supported, only {' and '.join(VERSIONS)}")
        if kind == _INVARIANTS:
            more = Said(tuple(_read_invariant(path, one) for one in entry["content"]))
        elif kind == _GHOSTS and version != "2.0":
            more = _read_ghosts(path, entry["content"])
        else:
            raise UsageError(f"{path}: an entry of the type {kind!r} and version {version} is not checked here")
        found = Said(found.invariants + more.invariants, found.ghosts + more.ghosts, found.updates + more.updates)
    task = tasks[0]
    if (data_model := str(task.get("data_model", "LP64"))) not in DATA_MODELS:
        raise UsageError(f"{path}: the data model {data_model} is not supported")
    hashes = {str(name): str(task["input_file_hashes"][name]).lower() for name in task["input_files"]}
    return Witness(hashes, str(task["specification"]), found, data_model)


def _read_ghosts(path: str, content: Any) -> Said:
    ghosts = []
    for one in content["ghost_variables"]:
        if one.get("scope", "global") != "global":
            raise UsageError(f"{path}: the ghost variable {one['name']!r} is not global, which is not checked here")
        ghosts.append(Ghost(str(one["name"]), str(one["type"]), _value(path, one["initial"])))
    updates = []
    for place in content["ghost_updates"]:
        at = place["location"]
        for one in place["updates"]:
            where = (str(at["file_name"]), int(at["line"]), int(at.get("column") or 0))
            updates.append(GhostUpdate(*where, str(one["variable"]), _value(path, one)))
    return Said((), tuple(ghosts), tuple(updates))


def _value(path: str, one: Any) -> str:
    if one["format"] != _FORMAT:
        raise UsageError(f"{path}: a ghost with a value of the format {one['format']!r} is not checked here")
    return str(one["value"])


def _read_invariant(path: str, one: Any) -> Invariant:
    if "contract" in one:
        raise UsageError(f"{path}: the contract of a function is not checked here")
    content = one["invariant"]
    kind, form, location = content["type"], content["format"], content["location"]
    if kind not in (_LOOP, _LOCATION) or form != _FORMAT:
        raise UsageError(f"{path}: an invariant of the type {kind!r} and the format {form!r} is not checked here")
    line, column = int(location["line"]), int(location.get("column") or 0)
    return Invariant(str(location["file_name"]), line, column, kind == _LOOP, str(content["value"]))


def located(path: str, witness: Witness, paths: Sequence[str]) -> Said:
    """What a witness says, with the files by the names that they have here.

    *Raises*: UsageError where it is about other files.
    """
    here = {digest: given for given in paths for digest in (hashlib.sha256(_bytes(given)).hexdigest(),)}
    if set(here) != set(witness.files.values()):
        raise UsageError(f"{path} is about other files, or they have changed since: {', '.join(witness.files)}")
    names = {name: here[digest] for name, digest in witness.files.items()}
    names |= {os.path.basename(name): given for name, given in names.items()} | {given: given for given in paths}
    said = witness.said
    mentioned = {item.file for item in said.invariants} | {update.file for update in said.updates}
    unknown = sorted(mentioned - names.keys())
    if unknown:
        raise UsageError(f"{path} speaks of {unknown[0]}, which is no input file of it")
    if said.ghosts and len(paths) > 1:
        raise UsageError(f"{path}: ghost variables of programs of several files are not supported")
    return Said(
        tuple(replace(item, file=names[item.file]) for item in said.invariants),
        said.ghosts,
        tuple(replace(update, file=names[update.file]) for update in said.updates),
    )


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
