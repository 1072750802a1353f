"""What can be reached in a graph that is given by its successors."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item", int, str)


def reached(starts: Iterable[Item], successors: Callable[[Item], Iterable[Item]]) -> Iterator[Item]:
    """What ways of any length, also of none, lead to from some starts, each once."""
    seen, stack = set[Item](), list(starts)
    while stack:
        item = stack.pop()
        if item not in seen:
            seen.add(item)
            yield item
            stack.extend(successors(item))


def reaches(starts: Iterable[Item], goals: Container[Item], successors: Callable[[Item], Iterable[Item]]) -> bool:
    """Whether a way of any length, also of none, leads from some start to a goal."""
    return any(item in goals for item in reached(starts, successors))
