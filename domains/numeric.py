"""The protocol of a numeric abstract domain over a pack of n integer variables.

Variables are indices 0..n-1. A linear expression is `(((variable, coefficient), ...), constant)` with sorted
variables and no coefficient 0. A constraint is `(expression, ">=")` or `(expression, "==")`, against 0. Bounds are
`int` or `math.inf` / `-math.inf`. Values are immutable and hashable; every operation returns a new one.
Every operation over-approximates the set of integer points, except where it says that it is exact.
"""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias, TypeVar

LinExpr: TypeAlias = tuple[tuple[tuple[int, int], ...], int]
Constraint: TypeAlias = tuple[LinExpr, Literal[">=", "=="]]
Bound: TypeAlias = int | float
V = TypeVar("V")


class NumericDomain(Protocol[V]):
    """See the module docstring; `V` is the type of values (each carries its own n)."""

    name: str

    def top(self, n: int) -> V: ...
    def bottom(self, n: int) -> V: ...
    def is_bottom(self, a: V) -> bool: ...
    def leq(self, a: V, b: V) -> bool:
        """Whether `a` is included in `b`; may say no where inclusion is not seen."""
        ...

    def join(self, a: V, b: V) -> V: ...
    def meet(self, a: V, b: V) -> V: ...
    def widen(self, a: V, b: V, thresholds: tuple[int, ...] = ()) -> V:
        """An upper bound of both such that every chain `a := widen(a, b)` ends. *Requires*: `leq(a, b)`."""
        ...

    def narrow(self, a: V, b: V) -> V:
        """A value between `b` and `a`. *Requires*: `leq(b, a)`."""
        ...

    def assign(self, a: V, v: int, lin: LinExpr) -> V: ...
    def assign_interval(self, a: V, v: int, lo: Bound, hi: Bound) -> V: ...
    def forget(self, a: V, variables: tuple[int, ...]) -> V: ...
    def meet_constraints(self, a: V, constraints: tuple[Constraint, ...]) -> V: ...
    def bound(self, a: V, v: int) -> tuple[Bound, Bound]:
        """Inclusive bounds of a variable. *Requires*: not bottom."""
        ...

    def bound_linear(self, a: V, lin: LinExpr) -> tuple[Bound, Bound]:
        """Inclusive bounds of an expression. *Requires*: not bottom."""
        ...

    def change_variables(self, a: V, mapping: tuple[int | None, ...], n: int) -> V:
        """Variable i becomes `mapping[i]` (None drops it) among n; variables that nothing maps to are unknown."""
        ...

    def constraints(self, a: V) -> tuple[Constraint, ...]:
        """A conjunction equivalent to the value, for printing, tests and solvers; bottom gives `(((), -1), ">=")`."""
        ...
