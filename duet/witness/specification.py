"""Which checks a witness is about, by its specification: a line `CHECK( init(main()), LTL(...) )` a property."""

from __future__ import annotations

from collections.abc import Iterable

from duet.batch import svcomp
from duet.errors import UsageError
from duet.report.witness import SPECIFICATIONS


def specification(properties: Iterable[str]) -> str:
    """The lines for those properties that may be called true as a whole; empty where there are none."""
    whole = {check for checks in svcomp.CHECKS.values() for check in checks}
    return "\n".join(dict.fromkeys(SPECIFICATIONS[name] for name in properties if name in whole))


def checks(path: str, text: str) -> tuple[str, ...]:
    """The checks that decide a specification. *Raises*: UsageError where they do not decide all of it."""
    found = svcomp.properties(path, text.splitlines())
    for one in found:
        if one.unsupported or one.name not in svcomp.CHECKS:
            raise UsageError(f"{path}: {one.unsupported or f'the property {one.name} is not decided here'}")
    if not found:
        raise UsageError(f"{path}: the specification is empty")
    return tuple(dict.fromkeys(check for one in found for check in svcomp.CHECKS[one.name]))
