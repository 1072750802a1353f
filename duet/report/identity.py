"""Names for checks that survive edits elsewhere: rule, function, text, and which of several; never a line."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable

from duet.result import Check

_LINE = re.compile(r"(?<=\(memory from )[^()]*(?=\))")
"""The place of an allocation, which moves with the lines in front of it."""


def key(property_name: str, function: str, expression: str) -> str:
    """What equal checks of one function have in common, in text without spaces."""
    return "\0".join((property_name, function, "".join(_LINE.sub("", expression).split())))


def fingerprints(checks: Iterable[Check]) -> list[str]:
    """The name of each check, as 32 hexadecimal digits."""
    seen: Counter[str] = Counter()
    names = []
    for check in checks:
        what = key(check.property_name, check.function, check.expression)
        seen[what] += 1
        names.append(hashlib.sha256(f"{what}\0{seen[what]}".encode("utf-8", "backslashreplace")).hexdigest()[:32])
    return names
