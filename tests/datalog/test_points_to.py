"""The points-to rules: every engine against a naive reading of the constraints, on random systems and by hand."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

from datalog import ruleset
from datalog.bitset import Bitset, bits
from datalog.relation import Facts, Row
from tests.datalog.engines import ALL, engine_or_skip

OUTPUTS = ("points", "calls")


def _naive(facts: Facts) -> dict[str, set[Row]]:
    """Both relations, by trying every rule on every tuple until nothing is new."""
    points: dict[int, set[int]] = defaultdict(set)
    parts: dict[tuple[int, int], set[int]] = defaultdict(set)
    for h, k, c in facts["part"]:
        parts[h, k].add(c)
    while True:
        new = {(n, h) for n, h in facts["address"]}
        new |= {(d, h) for d, s in facts["copy"] for h in points[s]}
        new |= {(d, h) for d, p, k in facts["load"] for g in points[p] for c in parts[g, k] for h in points[c]}
        new |= {(c, h) for p, k, s in facts["store"] for g in points[p] for c in parts[g, k] for h in points[s]}
        new = {(n, h) for n, h in new if h not in points[n]}
        if not new:
            break
        for n, h in new:
            points[n].add(h)
    callable_at = set(facts["callable"])
    calls: set[Row] = {(i, f) for i, p in facts["indirect"] for f in points[p] if (i, f) in callable_at}
    pairs: set[Row] = {(n, h) for n, found in points.items() for h in found}
    return {"points": pairs, "calls": calls}


def _random(seed: int) -> dict[str, list[Row]]:
    """A random constraint system of up to a dozen nodes."""
    dice = random.Random(seed)
    nodes, objects, shapes = dice.randint(2, 12), dice.randint(1, 5), dice.randint(1, 3)
    sizes = {"address": objects + 2, "copy": nodes, "load": nodes, "store": nodes, "part": nodes + objects}
    sizes |= {"indirect": 3, "callable": 5}
    limits = {
        "address": (nodes, objects),
        "copy": (nodes, nodes),
        "load": (nodes, nodes, shapes),
        "store": (nodes, shapes, nodes),
        "part": (objects, shapes, nodes),
        "indirect": (3, nodes),
        "callable": (3, objects),
    }
    return {
        name: sorted({tuple(dice.randrange(limit) for limit in limits[name]) for _ in range(dice.randint(0, size))})
        for name, size in sizes.items()
    }


@pytest.mark.parametrize("engine", ALL)
def test_random_systems(engine: str) -> None:
    found = engine_or_skip(engine)
    count = 30 if engine == "souffle" else 300
    nonempty = 0
    for seed in range(count):
        facts = _random(seed)
        expected = _naive(facts)
        result = found.run(ruleset.points_to(), facts, OUTPUTS, 60)
        assert {name: set(rows) for name, rows in result.items()} == expected, seed
        nonempty += len(expected["points"]) > len(facts["address"])
    assert nonempty > count // 4


P, Q, R, A_NEXT, B_NEXT, LOADED = range(6)
A, B, HANDLER = range(3)
LINK = 0


@pytest.mark.parametrize("engine", ALL)
def test_what_is_stored_through_one_pointer_is_loaded_through_another(engine: str) -> None:
    # p = &a; q = p; q->next = &b; r = p->next; r->next = handler; (r->next)()
    facts: dict[str, list[Row]] = {
        "address": [(P, A), (10, B), (11, HANDLER)],
        "copy": [(Q, P), (R, LOADED)],
        "load": [(LOADED, P, LINK), (12, R, LINK)],
        "store": [(Q, LINK, 10), (R, LINK, 11)],
        "part": [(A, LINK, A_NEXT), (B, LINK, B_NEXT)],
        "indirect": [(0, 12), (1, 12)],
        "callable": [(0, HANDLER)],
    }
    found = engine_or_skip(engine).run(ruleset.points_to(), facts, OUTPUTS, 60)
    assert found["calls"] == {(0, HANDLER)}
    assert {(A_NEXT, B), (R, B), (B_NEXT, HANDLER), (12, HANDLER)} <= found["points"]
    assert not {(A_NEXT, A), (A_NEXT, HANDLER), (P, B)} & found["points"]


@pytest.mark.parametrize("engine", ALL)
def test_nothing_comes_of_nothing(engine: str) -> None:
    facts: dict[str, list[Row]] = {"copy": [(0, 1)], "load": [(0, 1, 0)], "part": [(0, 0, 1)]}
    assert engine_or_skip(engine).run(ruleset.points_to(), facts, OUTPUTS, 60) == {
        "points": frozenset(),
        "calls": frozenset(),
    }


def test_sets_and_rows_of_the_embedded_engine_say_the_same() -> None:
    for seed in range(20):
        facts = _random(seed)
        sets = Bitset().points_to(ruleset.points_to(), facts)
        rows = Bitset().run(ruleset.points_to(), facts, ("points", "calls"))
        for found, relation in ((sets.points, "points"), (sets.calls, "calls")):
            assert {(a, b) for a, row in found.items() for b in bits(row)} == rows[relation]
