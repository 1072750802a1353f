"""One property as competitions ask for it (`--prp FILE`), and their result line."""

from __future__ import annotations

from dataclasses import dataclass

from duet.batch import svcomp
from duet.errors import UsageError
from duet.plip.accesses import WOKEN
from duet.result import Check, Run, RunStatus, Status

PARTS = ("valid-deref", "valid-free", "valid-memtrack", "valid-memcleanup")
"""Properties of which only parts are checked, or nothing: they are never proved, alone or together."""
_MEMORY = ("array-bounds", "null-dereference", "use-after-free")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a property file asks for: its name, the checks that speak of it, and its parts where these are not all."""

    name: str
    checks: tuple[str, ...]
    parts: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether the checks are all that the property says."""
        return not self.parts


def read(path: str) -> Asked:
    """What a property file asks for.

    *Raises*: SourceError for one that is none, UsageError where nothing of it is checked.
    """
    found = svcomp.read_property(path)
    if found.is_of_main and found.parts and set(found.parts) <= set(PARTS):
        return Asked(found.name, _MEMORY, found.parts)
    if found.unsupported:
        raise UsageError(f"--prp {path}: {found.unsupported}")
    return Asked(found.name, svcomp.CHECKS[found.name])


def result(run: Run, asked: Asked) -> str:
    """The verdict on a property in the words of SV-COMP.

    A race needs no construct of its own in a program, so a run without checks has not looked for any.
    """
    refuted = [found.check for found in run.assertions if found.status is Status.REFUTED]
    violated = [asked.name] if asked.is_whole else [part for part in map(_violated, refuted) if part in asked.parts]
    if refuted and violated:
        return f"false({violated[0]})"
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


def _violated(check: Check) -> str:
    """The part of memory safety that a check refutes; leaks are not looked for."""
    return "valid-free" if check.is_release else "valid-deref"
