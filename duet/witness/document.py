"""A correctness witness of SV-COMP as YAML: a set of invariants in C (format versions 2.0 and 2.1).

*Source*: correctness witnesses 2.0 of sv-witnesses, `invariant_set`. A place is the first character of a statement, or
of a loop; columns count from 1.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from duet.errors import UsageError
from duet.options import Invariant
from duet.report.witness import metadata
from duet.result import Run

VERSION = "2.1"
VERSIONS = ("2.0", VERSION)
_LOOP, _LOCATION, _FORMAT = "loop_invariant", "location_invariant", "c_expression"


@dataclass(frozen=True, slots=True)
class Witness:
    """What a witness says: of which files (with their SHA-256 sums), for which property, and its invariants.

    Files have the names by which the witness calls them.
    """

    files: Mapping[str, str]
    specification: str
    invariants: tuple[Invariant, ...]


def render(run: Run, specification: str, invariants: Iterable[Invariant], now: datetime | None = None) -> str:
    """The witness of a run in which a property holds; `now` is when it is made."""
    entry = {
        "entry_type": "invariant_set",
        "metadata": metadata(run, VERSION, specification, now or datetime.now(UTC)),
        "content": [{"invariant": _invariant(item)} for item in invariants],
    }
    return yaml.safe_dump([entry], sort_keys=False, allow_unicode=False, width=1000)


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
    found: list[Invariant] = []
    for entry in entries:
        version, kind = str(entry["metadata"]["format_version"]), entry["entry_type"]
        if version not in VERSIONS:
            raise UsageError(f"{path}: format version {version} is not supported, only {' and '.join(VERSIONS)}")
        if kind != "invariant_set":
            raise UsageError(f"{path}: an entry of the type {kind!r} is not checked here, only 'invariant_set'")
        found += (_read_invariant(path, one) for one in entry["content"])
    task = tasks[0]
    if task.get("data_model", "LP64") != "LP64":
        raise UsageError(f"{path}: only the data model LP64 is analysed")
    hashes = {str(name): str(task["input_file_hashes"][name]).lower() for name in task["input_files"]}
    return Witness(hashes, str(task["specification"]), tuple(found))


def _read_invariant(path: str, one: Any) -> Invariant:
    content = one["invariant"]
    kind, form, location = content["type"], content["format"], content["location"]
    if kind not in (_LOOP, _LOCATION) or form != _FORMAT:
        raise UsageError(f"{path}: an invariant of the type {kind!r} and the format {form!r} is not checked here")
    line, column = int(location["line"]), int(location.get("column") or 0)
    return Invariant(str(location["file_name"]), line, column, kind == _LOOP, str(content["value"]))


def located(path: str, witness: Witness, paths: Sequence[str]) -> tuple[Invariant, ...]:
    """The invariants of a witness with the files by the names that they have here.

    *Raises*: UsageError where it is about other files.
    """
    here = {digest: given for given in paths for digest in (hashlib.sha256(_bytes(given)).hexdigest(),)}
    if set(here) != set(witness.files.values()):
        raise UsageError(f"{path} is about other files, or they have changed since: {', '.join(witness.files)}")
    names = {name: here[digest] for name, digest in witness.files.items()}
    names |= {os.path.basename(name): given for name, given in names.items()} | {given: given for given in paths}
    unknown = sorted({item.file for item in witness.invariants} - names.keys())
    if unknown:
        raise UsageError(f"{path} has an invariant of {unknown[0]}, which is no input file of it")
    found = witness.invariants
    return tuple(Invariant(names[i.file], i.line, i.column, i.is_of_loop, i.expression) for i in found)


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
