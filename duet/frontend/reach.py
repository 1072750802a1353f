"""What can be reached in a graph that is given by its successors."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import TypeVar

Item = TypeVar("Item", int, str)


def reaches(starts: Iterable[Item], goals: Container[Item], successors: Callable[[Item], Iterable[Item]]) -> bool:
    """Whether a way of any length, also of none, leads from some start to a goal."""
    seen, stack = set[Item](), list(starts)
    while stack:
        item = stack.pop()
        if item in goals:
            return True
        if item not in seen:
            seen.add(item)
            stack.extend(successors(item))
    return False
