"""A run against an earlier one: which open checks are new, which are the same, and which are fixed.

Checks are the same if they have the same property, function and text, in whatever line they are; of several such checks
as many are the same as were open before.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from duet.errors import UsageError
from duet.report.identity import key
from duet.report.json import SCHEMA
from duet.result import Check, Comparison, Fixed, Run

_OPEN = frozenset(("unproved", "refuted", "unknown"))


@dataclass(frozen=True, slots=True)
class Baseline:
    """The open checks of an earlier run, by what they have in common (`identity.key`)."""

    path: str
    open_checks: Mapping[str, tuple[Fixed, ...]]


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
    found: dict[str, list[Fixed]] = defaultdict(list)
    try:
        for entry in document["assertions"]:
            if entry["status"] in _OPEN:
                name = key(entry["property"], entry["function"], entry["expression"])
                found[name].append(_fixed(entry))
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"the baseline {path} is damaged: {error!r}") from error
    return Baseline(path, {name: tuple(entries) for name, entries in found.items()})


def _fixed(entry: Mapping[str, Any]) -> Fixed:
    return Fixed(
        str(entry["file"]), int(entry["line"]), str(entry["function"]), str(entry["property"]), str(entry["expression"])
    )


def compare(run: Run, baseline: Baseline) -> Comparison:
    """What is new in a run, and what is no longer open in it."""
    left = Counter({name: len(entries) for name, entries in baseline.open_checks.items()})
    new: list[Check] = []
    same: list[Check] = []
    for assertion in run.assertions:
        if assertion.status.is_safe:
            continue
        check = assertion.check
        name = key(check.property_name, check.function, check.expression)
        (same if left[name] > 0 else new).append(check)
        left[name] -= 1
    fixed = [one for name, old in baseline.open_checks.items() for one in old[len(old) - max(0, left[name]) :]]
    return Comparison(baseline.path, frozenset(new), frozenset(same), tuple(fixed))
