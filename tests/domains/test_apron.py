"""APRON behind the adapter: the same bounds as our own domains, and the traps of apronpy stay closed."""

from __future__ import annotations

import ctypes.util
import gc
import itertools
import threading
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domains import apron as adapter
from domains.linear import holds, linear, octagonal_terms
from domains.numeric import Constraint
from domains.registry import DomainName, NumericUnavailable, available, describe, domain
from tests.domains.programs import RANGE, Assign, Forget, Program, Rename, abstract, constraints, initial, programs
from tests.domains.test_numeric_domains import apron_domain, needs_apron


def exact_steps(program: Program) -> Program:
    """The program with only those steps that both libraries compute exactly on rationals."""
    kept = tuple(
        step
        for step in program.steps
        if isinstance(step, (Forget, Rename))
        or (isinstance(step, Assign) and len(step.lin[0]) <= 1 and all(abs(k) == 1 for _, k in step.lin[0]))
    )
    return Program(program.n, kept)


@needs_apron
@pytest.mark.parametrize("name", ["interval", "octagon"])
@settings(max_examples=25, deadline=None)
@given(st.integers(1, 3).flatmap(lambda n: st.tuples(programs(n), programs(n), programs(n))))
def test_exact_operations_give_the_same_bounds(name: DomainName, case: tuple[Program, ...]) -> None:
    """Assignments x := +-y + c, renaming, forgetting, joins: neither library may be tighter or looser."""
    own, other = domain(name, "own"), apron_domain(name)
    first, second, third = (exact_steps(program) for program in case)
    results = []
    for numeric in (own, other):
        joined = numeric.join(abstract(numeric, first), abstract(numeric, second))
        met = numeric.meet(joined, numeric.join(joined, abstract(numeric, third)))
        results.append(bounds(numeric, met, first.n, name))
    assert results[0] == results[1]


@needs_apron
@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 3).flatmap(
        lambda n: st.tuples(st.just(n), st.lists(constraints(n, octagonal=True), max_size=6).map(tuple))
    )
)
def test_own_octagon_is_never_looser(case: tuple[int, tuple[Constraint, ...]]) -> None:
    """Ours rounds to integers, so it may be tighter, down to bottom, but only by losing no integer point."""
    n, required = case
    own, other = domain("octagon", "own"), apron_domain("octagon")
    ours = own.meet_constraints(initial(own, n), required)
    theirs = other.meet_constraints(initial(other, n), required)
    points = [p for p in itertools.product(RANGE, repeat=n) if all(holds(c, p) for c in required)]
    if own.is_bottom(ours) or other.is_bottom(theirs):
        assert not points
        assert own.is_bottom(ours)
        return
    for mine, apron in zip(bounds(own, ours, n, "octagon"), bounds(other, theirs, n, "octagon"), strict=True):
        assert apron[0] <= mine[0]
        assert mine[1] <= apron[1]


def bounds(numeric: Any, value: Any, n: int, name: str) -> list[tuple[Any, Any]]:
    if numeric.is_bottom(value):
        return []
    terms = [terms for terms in octagonal_terms(n) if name == "octagon" or len(terms) == 1]
    return [numeric.bound_linear(value, (part, 0)) for part in terms]


@needs_apron
def test_the_search_for_libraries_is_left_as_it_was() -> None:
    before = ctypes.util.find_library
    adapter.load()
    assert ctypes.util.find_library is before


@needs_apron
def test_the_process_rounds_as_it_did() -> None:
    tenths = [0.1] * 10
    before = sum(tenths)
    adapter.ApronDomain(adapter.load(), "octagon").top(1)
    assert sum(tenths) == before == 0.9999999999999999


@needs_apron
def test_variables_keep_their_order_beyond_ten() -> None:
    """As text, "v10" sorts before "v2"."""
    numeric = apron_domain("octagon")
    value = numeric.top(12)
    for v in range(12):
        value = numeric.assign(value, v, ((), 100 + v))
    assert [numeric.bound(value, v) for v in range(12)] == [(100 + v, 100 + v) for v in range(12)]
    turned = numeric.change_variables(value, tuple(reversed(range(12))), 12)
    assert [numeric.bound(turned, v)[0] for v in range(12)] == [111 - v for v in range(12)]


@needs_apron
def test_unknown_variables_never_reach_the_library() -> None:
    numeric = apron_domain("octagon")
    for operation in (
        lambda a: numeric.assign(a, 2, ((), 0)),
        lambda a: numeric.assign(a, 0, linear([(2, 1)])),
        lambda a: numeric.forget(a, (5,)),
        lambda a: numeric.bound(a, 7),
        lambda a: numeric.join(a, numeric.top(3)),
    ):
        with pytest.raises(AssertionError):
            operation(numeric.top(2))


@needs_apron
def test_a_value_stays_in_its_thread_and_each_thread_gets_a_manager() -> None:
    numeric = apron_domain("octagon")
    value = numeric.assign(numeric.top(1), 0, ((), 4))
    seen: list[Any] = []

    def use() -> None:
        seen.append(numeric.bound(numeric.assign(numeric.top(1), 0, ((), 5)), 0))
        try:
            numeric.join(value, numeric.top(1))
        except RuntimeError as error:
            seen.append(str(error))

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert seen == [(5, 5), "an APRON value was used outside of the thread that made it"]
    assert numeric.bound(value, 0) == (4, 4)


@needs_apron
def test_values_in_reference_cycles_are_freed_in_any_order() -> None:
    """Warnings are errors here, also those about finalizers that raise."""
    for _ in range(3):
        numeric = domain("octagon", "apron")
        cycle: list[Any] = [numeric, numeric.assign(numeric.top(2), 0, ((), 1))]
        cycle.append(cycle)
        hash(cycle[1])
        del numeric, cycle
        gc.collect()


@needs_apron
def test_rational_bounds_are_rounded_inwards() -> None:
    numeric = apron_domain("octagon")
    required: tuple[Constraint, ...] = (
        (linear([(0, 1), (1, 1)], -1), ">="),
        (linear([(0, 1), (1, -1)]), ">="),
        (linear([(0, -1)], 9), ">="),
    )
    value = numeric.meet_constraints(numeric.top(2), required)  # x >= 1/2
    assert numeric.bound(value, 0) == (1, 9)
    assert numeric.bound(value, 1) == (-8, 9)
    assert numeric.bound(numeric.meet_constraints(numeric.top(1), ((linear([(0, -2)], 7), ">="),)), 0) == (-inf, 3)


def test_a_missing_library_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise AttributeError(f"undefined symbol while importing {name}")

    monkeypatch.setattr(adapter, "import_module", missing)
    with pytest.raises(NumericUnavailable, match="undefined symbol"):
        domain("octagon", "apron")
    with pytest.raises(NumericUnavailable):
        describe("apron")
    own, apron, _ = available()
    assert own.version
    assert apron.version is None
    assert "undefined symbol" in apron.reason


def test_auto_is_our_own() -> None:
    assert describe("auto") == describe("own") == "own"
    for name in ("interval", "octagon"):
        assert type(domain(name, "auto")) is type(domain(name, "own"))
        assert domain(name).name == name


@needs_apron
def test_apron_is_described_with_its_version() -> None:
    assert describe("apron") == f"apron {available()[1].version}"
    assert domain("octagon", "apron").name == "octagon"
