"""What threads see in the executions of a program: the same with ghosts that change none, beside these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from duet.plip.semantics import Limits, explore
from duet.plip.syntax import Program


def seen(program: Program, cells: Iterable[str], limits: Limits) -> Mapping[int, frozenset[tuple[object, ...]]] | None:
    """What threads see of some cells at each location that they reach; None where there are too many states."""
    found = explore(program, limits)
    if found.states >= limits.states:
        return None
    names = sorted(cells)
    return {
        location: frozenset(tuple(store.get(name) for name in names) for store in found.thread_stores(location))
        for location in found.stores
    }
