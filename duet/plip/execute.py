"""PLIP instructions as functions on concrete stores: the small-step half of the semantics.

*Source*: thesis Fig. 2.7, extended as `syntax` says.
A store is a tuple: the values of the global cells, then those of the thread's own ones; a summary cell holds the
frozenset of its values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias, assert_never

from duet.plip.syntax import (
    And,
    Assign,
    Atom,
    Cell,
    Compute,
    Formula,
    Guard,
    Havoc,
    Linear,
    Lookup,
    Operation,
    Or,
    Relation,
    Step,
)

Value: TypeAlias = int | frozenset[int]
Store: TypeAlias = tuple[Value, ...]
Evaluate: TypeAlias = Callable[[Store], int]
Test: TypeAlias = Callable[[Store], bool]
Run: TypeAlias = Callable[[Store], Iterable[Store]]

_LARGEST_SHIFT = 512


@dataclass(frozen=True, slots=True)
class Samples:
    """The values tried where any value of a range is possible: an under-approximation.

    `havoc` for nondeterministic assignments, `initial` for cells without a single initial value. `own` are those for
    the nondeterministic assignments to some cells.
    """

    havoc: tuple[int, ...] = (-1, 0, 1, 2)
    initial: tuple[int, ...] = (0, 1)
    own: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def of_range(self, values: tuple[int, ...], lo: int | None, hi: int | None) -> tuple[int, ...]:
        """The values within the range; one end of it if there is none."""
        inside = tuple(v for v in values if (lo is None or lo <= v) and (hi is None or v <= hi))
        if inside:
            return inside
        return (lo,) if lo is not None else (hi,) if hi is not None else ()


def initial_stores(cells: Iterable[Cell], samples: Samples) -> tuple[Store, ...]:
    """The combinations of initial values; a summary cell holds all of its samples at once."""
    choices: list[tuple[Value, ...]] = []
    for cell in cells:
        values = samples.of_range(samples.initial, cell.lo, cell.hi)
        choices.append((frozenset(values),) if cell.summary else values)
    return tuple(product(*choices))


def compile_term(term: Linear, slots: Mapping[str, int]) -> Evaluate:
    """The value of a term in a store. *Requires*: no summary cell in it."""
    constant = term.constant
    match [(slots[cell], k) for cell, k in term.terms]:
        case []:
            return lambda _: constant
        case [(slot, 1)]:
            return lambda store: store[slot] + constant  # type: ignore[operator]  # no summary cell
        case pairs:
            return lambda store: sum(store[slot] * k for slot, k in pairs) + constant  # type: ignore[operator, misc]
    raise AssertionError("unreachable")


def compile_formula(formula: Formula, slots: Mapping[str, int]) -> Test:
    """Whether a formula holds in a store. *Requires*: no summary cell in it."""
    match formula:
        case Atom(term, relation):
            value = compile_term(term, slots)
            match relation:
                case Relation.LE:
                    return lambda store: value(store) <= 0
                case Relation.EQ:
                    return lambda store: value(store) == 0
                case Relation.NE:
                    return lambda store: value(store) != 0
                case _:
                    assert_never(relation)
        case And(parts):
            tests = [compile_formula(part, slots) for part in parts]
            return lambda store: all(test(store) for test in tests)
        case Or(parts):
            tests = [compile_formula(part, slots) for part in parts]
            return lambda store: any(test(store) for test in tests)
        case _:
            assert_never(formula)


def compile_step(step: Step, slots: Mapping[str, int], summaries: frozenset[str], samples: Samples) -> Run:
    """The stores after a step; none where it does not pass."""
    match step:
        case Guard(condition):
            test = compile_formula(condition, slots)
            return lambda store: (store,) if test(store) else ()
        case Assign(target, Linear(((cell, 1),), 0)) if cell in summaries:
            write, source = _writer(target, slots, summaries), slots[cell]
            return lambda store: [write(store, value) for value in sorted(store[source])]  # type: ignore[arg-type]
        case Assign(target, value):
            write, evaluate = _writer(target, slots, summaries), compile_term(value, slots)
            return lambda store: (write(store, evaluate(store)),)
        case Havoc(target, lo, hi):
            write, choices = (
                _writer(target, slots, summaries),
                samples.of_range(samples.own.get(target, samples.havoc), lo, hi),
            )
            return lambda store: [write(store, value) for value in choices]
        case Compute(target, operation, arguments):
            write = _writer(target, slots, summaries)
            terms = [compile_term(argument, slots) for argument in arguments]

            def compute(store: Store) -> Iterable[Store]:
                result = apply(operation, [term(store) for term in terms])
                return () if result is None else (write(store, result),)

            return compute
        case Lookup(target, table, index):
            write, position = _writer(target, slots, summaries), compile_term(index, slots)

            def lookup(store: Store) -> Iterable[Store]:
                at = position(store)
                return (write(store, table[at]),) if 0 <= at < len(table) else ()

            return lookup
        case _:
            assert_never(step)


def compile_steps(runs: list[Run]) -> Run:
    """The stores after all steps in order, one after the other: there may be very many."""

    def run(store: Store) -> Iterable[Store]:
        stores: Iterable[Store] = (store,)
        for step in runs:
            stores = _after(stores, step)
        return stores

    return run


def _after(stores: Iterable[Store], step: Run) -> Iterator[Store]:
    return (after for before in stores for after in step(before))


def _writer(target: str, slots: Mapping[str, int], summaries: frozenset[str]) -> Callable[[Store, int], Store]:
    """Writes a value: to a summary cell it is added."""
    slot = slots[target]
    if target in summaries:
        return lambda store, value: (*store[:slot], store[slot] | {value}, *store[slot + 1 :])  # type: ignore[operator]
    return lambda store, value: (*store[:slot], value, *store[slot + 1 :])


def apply(operation: Operation, arguments: list[int]) -> int | None:
    """The result of an operation, or None if there is none.

    *Approximates*: under; a left shift by more than 512 has no result here.
    """
    if operation is Operation.WRAP:
        value, lo, hi = arguments
        return lo + (value - lo) % (hi - lo + 1)
    left, right = arguments
    match operation:
        case Operation.MUL:
            return left * right
        case Operation.DIV:
            return _divide(left, right) if right else None
        case Operation.MOD:
            return left - right * _divide(left, right) if right else None
        case Operation.AND:
            return left & right
        case Operation.OR:
            return left | right
        case Operation.XOR:
            return left ^ right
        case Operation.SHL:
            return left << right if 0 <= right <= _LARGEST_SHIFT else None
        case Operation.SHR:
            return left >> right if right >= 0 else None
        case _:
            assert_never(operation)


def _divide(left: int, right: int) -> int:
    """The quotient truncated towards zero, as in C."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient
