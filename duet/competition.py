"""One property as competitions ask for it (`--prp FILE`), and their result line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from duet.batch import svcomp
from duet.errors import UsageError
from duet.plip.accesses import WOKEN
from duet.result import Run, RunStatus, Status

PARTS: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "valid-memsafety": {"array-bounds": "valid-deref", "null-dereference": "valid-deref"},
    "valid-deref": {"array-bounds": "valid-deref", "null-dereference": "valid-deref"},
})  # fmt: skip
"""Properties of which only parts are checked, with the one that a check of a part refutes: they are never proved."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a property file asks for: its name, the checks that speak of it, and whether these are all it says."""

    name: str
    checks: tuple[str, ...]
    is_whole: bool = True


def read(path: str) -> Asked:
    """What a property file asks for.

    *Raises*: SourceError for one that is none, UsageError where nothing of it is checked.
    """
    found = svcomp.read_property(path)
    if checks := PARTS.get(found.name):
        return Asked(found.name, tuple(checks), is_whole=False)
    if found.unsupported:
        raise UsageError(f"--prp {path}: {found.unsupported}")
    return Asked(found.name, svcomp.CHECKS[found.name])


def result(run: Run, asked: Asked) -> str:
    """The verdict on a property in the words of SV-COMP.

    A race needs no construct of its own in a program, so a run without checks has not looked for any.
    """
    refuted = [check for check in run.assertions if check.status is Status.REFUTED]
    if refuted:
        part = PARTS.get(asked.name, {}).get(refuted[0].check.property_name, asked.name)
        return f"false({part})"
    match run.status:
        case RunStatus.TIMEOUT:
            return "TIMEOUT"
        case RunStatus.OUT_OF_MEMORY:
            return "OUT_OF_MEMORY"
        case RunStatus.ERROR:
            return "ERROR"
        case RunStatus.COMPLETE:
            is_proved = all(check.status.is_safe for check in run.assertions)
            was_asked = bool(run.assertions) or asked.name != "no-data-race"
            is_woken = asked.name == "no-deadlock" and WOKEN in run.assumptions
            return "true" if asked.is_whole and is_proved and was_asked and not is_woken else "unknown"
