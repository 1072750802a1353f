"""Random sequences of domain operations, run both on a domain and on explicit sets of integer points.

The set of points is a subset of what the operations mean (unknown numbers are drawn from `RANGE`), so a domain value
must describe each of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, assert_never

from hypothesis import strategies as st

from domains.linear import evaluate, holds, linear
from domains.numeric import Constraint, LinExpr, NumericDomain

RANGE = range(-3, 4)
MAX_POINTS = 120

Point: TypeAlias = tuple[int, ...]
Points: TypeAlias = frozenset[Point]
Domain: TypeAlias = NumericDomain[Any]


@dataclass(frozen=True, slots=True)
class Assign:
    v: int
    lin: LinExpr


@dataclass(frozen=True, slots=True)
class AssignInterval:
    v: int
    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class Forget:
    variables: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Require:
    constraints: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class Rename:
    """Variable i becomes `mapping[i]`; the number of variables stays."""

    mapping: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """Both arms from the same state, then `combine`."""

    left: tuple[Step, ...]
    right: tuple[Step, ...]
    combine: Literal["join", "meet", "widen", "narrow"]


Step: TypeAlias = Assign | AssignInterval | Forget | Require | Rename | Branch


@dataclass(frozen=True, slots=True)
class Program:
    """Steps over n variables, each of which starts with any number in `RANGE`."""

    n: int
    steps: tuple[Step, ...]


def linear_expressions(n: int, *, octagonal: bool = False) -> st.SearchStrategy[LinExpr]:
    coefficients = st.sampled_from((1, -1) if octagonal else (1, -1, 1, -1, 2, -3))
    terms = st.dictionaries(st.integers(0, n - 1), coefficients, max_size=2 if octagonal else 3)
    return st.builds(linear, terms, st.integers(-5, 5))


def constraints(n: int, *, octagonal: bool = False) -> st.SearchStrategy[Constraint]:
    relation: st.SearchStrategy[Literal[">=", "=="]] = st.sampled_from((">=", ">=", "=="))
    return st.tuples(linear_expressions(n, octagonal=octagonal), relation)


def steps(n: int) -> st.SearchStrategy[Step]:
    index = st.integers(0, n - 1)
    simple: st.SearchStrategy[Step] = st.one_of(
        st.builds(Assign, index, linear_expressions(n)),
        st.builds(lambda v, a, b: AssignInterval(v, min(a, b), max(a, b)), index, *[st.sampled_from(RANGE)] * 2),
        st.builds(Forget, st.lists(index, max_size=2, unique=True).map(tuple)),
        st.builds(Require, st.lists(constraints(n), min_size=1, max_size=3).map(tuple)),
        st.builds(Rename, st.permutations([*range(n), None]).map(lambda order: tuple(order[:n]))),
    )
    arms = st.lists(simple, max_size=3).map(tuple)
    combine: st.SearchStrategy[Any] = st.sampled_from(("join", "meet", "widen", "narrow"))
    return st.one_of(simple, simple, st.builds(Branch, arms, arms, combine))


def programs(n: int, max_steps: int = 5) -> st.SearchStrategy[Program]:
    return st.builds(Program, st.just(n), st.lists(steps(n), max_size=max_steps).map(tuple))


def same_size(count: int) -> st.SearchStrategy[tuple[Program, ...]]:
    """Programs over the same number of variables."""
    return st.integers(1, 3).flatmap(lambda n: st.tuples(*[programs(n)] * count))


def initial(domain: Domain, n: int) -> Any:
    bounds: list[Constraint] = []
    for v in range(n):
        bounds += [((((v, 1),), -RANGE[0]), ">="), ((((v, -1),), RANGE[-1]), ">=")]
    return domain.meet_constraints(domain.top(n), tuple(bounds))


def abstract(domain: Domain, program: Program) -> Any:
    """The value after the program."""
    return _abstract_steps(domain, initial(domain, program.n), program.steps)


def _abstract_steps(domain: Domain, value: Any, body: tuple[Step, ...]) -> Any:
    for step in body:
        value = abstract_step(domain, value, step)
    return value


def abstract_step(domain: Domain, value: Any, step: Step) -> Any:
    match step:
        case Assign(v, lin):
            return domain.assign(value, v, lin)
        case AssignInterval(v, lo, hi):
            return domain.assign_interval(value, v, lo, hi)
        case Forget(variables):
            return domain.forget(value, variables)
        case Require(required):
            return domain.meet_constraints(value, required)
        case Rename(mapping):
            return domain.change_variables(value, mapping, len(mapping))
        case Branch(left, right, combine):
            a, b = _abstract_steps(domain, value, left), _abstract_steps(domain, value, right)
            operations: dict[str, Callable[[], Any]] = {
                "join": lambda: domain.join(a, b),
                "meet": lambda: domain.meet(a, b),
                "widen": lambda: domain.widen(a, domain.join(a, b), (-4, 0, 4)),
                "narrow": lambda: domain.narrow(a, domain.meet(a, b)),
            }
            return operations[combine]()
        case _:
            assert_never(step)


def concrete(program: Program) -> Points:
    """Points that the program reaches."""
    return _concrete_steps(_thinned(frozenset(itertools.product(RANGE, repeat=program.n))), program.steps)


def _concrete_steps(points: Points, body: tuple[Step, ...]) -> Points:
    for step in body:
        points = _thinned(concrete_step(points, step))
    return points


def _thinned(points: Points) -> Points:
    """At most some `MAX_POINTS` of the points, spread over their whole range."""
    if len(points) <= MAX_POINTS:
        return points
    ordered = sorted(points)
    return frozenset((*ordered[:: len(ordered) // MAX_POINTS + 1], ordered[-1]))


def _replaced(point: Point, v: int, value: int) -> Point:
    return (*point[:v], value, *point[v + 1 :])


def concrete_step(points: Points, step: Step) -> Points:
    match step:
        case Assign(v, lin):
            return frozenset(_replaced(p, v, evaluate(lin, p)) for p in points)
        case AssignInterval(v, lo, hi):
            return frozenset(_replaced(p, v, x) for p in points for x in range(lo, hi + 1))
        case Forget(variables):
            for v in variables:
                points = frozenset(_replaced(p, v, x) for p in points for x in RANGE)
            return points
        case Require(required):
            return frozenset(p for p in points if all(holds(c, p) for c in required))
        case Rename(mapping):
            return frozenset(q for p in points for q in _renamed(p, mapping))
        case Branch(left, right, combine):
            a, b = _concrete_steps(points, left), _concrete_steps(points, right)
            return a | b if combine in ("join", "widen") else a & b
        case _:
            assert_never(step)


def _renamed(point: Point, mapping: tuple[int | None, ...]) -> list[Point]:
    sources = [mapping.index(v) if v in mapping else None for v in range(len(mapping))]
    return list(itertools.product(*[RANGE if s is None else (point[s],) for s in sources]))


def describes(domain: Domain, value: Any, points: Points) -> bool:
    """Whether the value admits all points, by each way of reading it."""
    if domain.is_bottom(value):
        return not points
    required = domain.constraints(value)
    if not all(holds(constraint, p) for constraint in required for p in points):
        return False
    for v, column in enumerate(zip(*points, strict=True)):
        lo, hi = domain.bound(value, v)
        if not (lo <= min(column) and max(column) <= hi):
            return False
    return True
