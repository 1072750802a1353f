"""Whether a program that was changed does what it did, by exploring both."""

from __future__ import annotations

from collections.abc import Iterable

from duet.plip.semantics import Exploration, Limits, explore
from duet.plip.syntax import Program

LIMITS = Limits(threads=4, states=6000)


def is_same(program: Program, other: Program) -> bool | None:
    """Whether threads meet the same checks, fail the same, and end alike; None where that takes too long.

    The other program may have cells of its own.
    """
    one, two = explore(program, LIMITS), explore(other, LIMITS)
    if one.truncated or two.truncated:
        return None
    is_alike = one.failures.keys() == two.failures.keys() and one.reached == two.reached
    return is_alike and _ends(one, program.cells) == _ends(two, program.cells)


def differs(program: Program, other: Program) -> bool | None:
    """Whether it does something else; None where it is as it was, or that takes too long."""
    same = None if other.commands == program.commands else is_same(program, other)
    return None if same is None else not same


def _ends(found: Exploration, cells: Iterable[str]) -> set[tuple[object, ...]]:
    """What some cells hold where threads end."""
    return {
        (template.name, *(store.get(cell) for cell in cells))
        for template in found.program.templates.values()
        for store in found.thread_stores(template.exit)
    }
