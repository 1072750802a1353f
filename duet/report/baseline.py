"""A run against an earlier one: which open checks are new, which are the same, and which are fixed.

Checks are the same if they have the same property, file, function and text, in whatever line they are; of several such
checks as many are the same as were open before. What was not checked again is not fixed.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from duet.errors import UsageError
from duet.options import PROPERTIES
from duet.report.identity import key
from duet.report.json import SCHEMA
from duet.result import Check, Comparison, Fixed, Run

_OPEN = frozenset(("unproved", "refuted", "unknown"))


@dataclass(frozen=True, slots=True)
class Baseline:
    """The open checks of an earlier run of some files, by what they have in common (`identity.key`)."""

    path: str
    open_checks: Mapping[str, tuple[Fixed, ...]]
    files: tuple[str, ...] = ()


def read(path: str) -> Baseline:
    """The open checks in a JSON report. *Raises*: UsageError where it is none."""
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except OSError as error:
        raise UsageError(f"cannot read the baseline {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the baseline {path} is no JSON report of duet: {error}") from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise UsageError(f"the baseline {path} is no JSON report of duet (--format json writes one)")
    try:
        opened = [_fixed(entry) for entry in document["assertions"] if entry["status"] in _OPEN]
        return Baseline(path, entries_of(opened), tuple(map(str, document["input"]["files"])))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise UsageError(f"the baseline {path} is damaged: {error!r}") from error


def _fixed(entry: Mapping[str, Any]) -> Fixed:
    return Fixed(
        str(entry["file"]), int(entry["line"]), str(entry["function"]), str(entry["property"]), str(entry["expression"])
    )


def entries_of(found: Iterable[Fixed]) -> Mapping[str, tuple[Fixed, ...]]:
    """Checks by what they have in common."""
    result: dict[str, list[Fixed]] = defaultdict(list)
    for one in found:
        result[name_of(one)].append(one)
    return {name: tuple(entries) for name, entries in result.items()}


def name_of(one: Fixed) -> str:
    """What a check has in common with others that count as the same."""
    return key(one.property_name, one.function, one.expression)


def difference(found: Iterable[Fixed], baseline: Baseline) -> tuple[list[bool], tuple[Fixed, ...]]:
    """Whether each of some open checks is new; and what is no longer open."""
    left = {name: list(entries) for name, entries in baseline.open_checks.items()}
    new: list[bool] = []
    for one in found:
        candidates = left.get(name_of(one), [])
        old = next((entry for entry in candidates if may_be_one_file(entry.file, one.file)), None)
        new.append(old is None)
        if old is not None:
            candidates.remove(old)
    return new, tuple(entry for entries in left.values() for entry in entries)


def may_be_one_file(one: str, other: str) -> bool:
    """Whether two paths, seen from directories that may differ, can lead to one file: one ends as the other does."""
    pairs = zip(reversed(_parts(one)), reversed(_parts(other)), strict=False)
    return all(name == another for name, another in pairs)


def _parts(path: str) -> Sequence[str]:
    """The names in a path, without steps upwards."""
    return [name for name in PurePath(os.path.normpath(path)).parts if name != os.pardir]


def compare(run: Run, baseline: Baseline) -> Comparison:
    """What is new in a run, and what is no longer open in it."""
    checks = [assertion.check for assertion in run.assertions if not assertion.status.is_safe]
    is_new, left = difference(map(_identity, checks), baseline)
    new = frozenset(check for check, is_one in zip(checks, is_new, strict=True) if is_one)
    same = frozenset(check for check, is_one in zip(checks, is_new, strict=True) if not is_one)
    return Comparison(baseline.path, new, same, tuple(one for one in left if _is_checked(one, run)))


def _identity(check: Check) -> Fixed:
    return Fixed(check.file, check.line, check.function, check.property_name, check.expression)


def _is_checked(one: Fixed, run: Run) -> bool:
    """Whether a run would still have a check: what nobody asked for was not mended."""
    return not run.properties or one.property_name in run.properties or one.property_name not in PROPERTIES
