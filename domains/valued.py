"""The protocol of a numeric domain that also knows small sets of values and congruences of its variables."""

from __future__ import annotations

from typing import Protocol, TypeVar

from domains.numeric import LinExpr, NumericDomain
from domains.values.number import Number

V = TypeVar("V")


class ValuedDomain(NumericDomain[V], Protocol[V]):
    """A `NumericDomain` with numbers (`domains.values.number`) instead of bounds; every operation over-approximates."""

    def number(self, a: V, v: int) -> Number:
        """What is known of a variable. *Requires*: not bottom."""
        ...

    def number_linear(self, a: V, lin: LinExpr) -> Number:
        """What is known of an expression. *Requires*: not bottom."""
        ...

    def assign_number(self, a: V, v: int, found: Number) -> V:
        """Any member of a number becomes the value of a variable."""
        ...

    def meet_number(self, a: V, v: int, found: Number) -> V:
        """The states where a variable is a member of a number."""
        ...

    def exclude(self, a: V, lin: LinExpr) -> V:
        """The states where an expression is not 0."""
        ...
