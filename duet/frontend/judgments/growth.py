"""What rounds of lowering find out only grows, and the growth is counted: a round that adds nothing is the last one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass
class Growth:
    """How often anything was added. While `is_frozen` nothing is: what is lowered then is part of no thread."""

    version: int = 0
    is_frozen: bool = False

    def count(self, new: int = 1) -> None:
        """Notes that something was added."""
        self.version += new


class Growing(set[T]):
    """A set that only grows, and counts it."""

    def __init__(self, growth: Growth) -> None:
        super().__init__()
        self._growth = growth

    def add(self, *new: T) -> None:
        """Adds what is new, unless nothing is to be added now."""
        if self._growth.is_frozen or self.issuperset(new):
            return
        for item in new:
            if item not in self:
                super().add(item)
                self._growth.version += 1
