"""Where objects lie, and do not: a pointer that is moved by little from where there is one is not null."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from duet.plip.syntax import Command, Havoc
from duet.plip.touched import writes

PAGE = 4096
"""Addresses below, and as many at the top, belong to no object."""
HALF = 1 << 63
"""As many addresses of 64 bits at the top belong to no object of a program of Linux."""


def is_there(known: tuple[int, int] | None, by: tuple[int, int] | None, top: int) -> bool:
    """Whether a pointer is not null where it is moved by at least and at most so much, whatever is known of it before.

    `known` are the first and the end of bytes behind it that are inside of an object. If it were null where it is moved
    to, the first of them would lie in the first page, or among as many bytes as belong to no object at the `top`: so it
    is whatever sums of addresses do that are too large.
    """
    return (
        known is not None
        and by is not None
        and known[0] < known[1]
        and -top < known[0] - by[1] <= known[0] - by[0] < PAGE
    )


def ranges(commands: Iterable[Command]) -> Mapping[str, tuple[int, int]]:
    """The ranges of temporaries that one step sets, to any number between two; they begin as 0."""
    written = Counter(cell for command in commands for cell in writes(command.instruction) if cell.startswith("$"))
    return {
        it.target: (min(it.lo, 0), max(it.hi, 0))
        for it in (command.instruction for command in commands)
        if isinstance(it, Havoc) and it.lo is not None and it.hi is not None and written[it.target] == 1
    }
