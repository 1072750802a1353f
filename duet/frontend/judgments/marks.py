"""Marks: what models of library functions record of the whole program for each other, each of subjects of one type."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Mark(Generic[T]):
    """A mark, by what it says of its subjects; `about` is what it belongs to where there is one for each of these."""

    says: str
    about: str | None = None

    def of(self, about: str | None) -> Mark[T]:
        """The one that belongs to something."""
        return replace(self, about=about)
