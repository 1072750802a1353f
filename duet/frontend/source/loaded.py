"""What is known of a function that the loader calls."""

from __future__ import annotations

from dataclasses import dataclass

LAST_PRIORITY = 65535
"""The priority of those without one: it comes last before `main`, and first behind it."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A function that the loader calls if this file defines it: before `main` if it `starts`, else at the end."""

    name: str
    starts: bool
    priority: int
