"""Programs whose counters count on have the same executions: random ones, against the semantics."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

import pytest

from duet.frontend.judgments import counting_on
from duet.frontend.judgments.counting_on import with_counting_on
from duet.plip.execute import Value
from duet.plip.parser import parse_program
from duet.plip.semantics import Limits, explore
from duet.plip.syntax import Atom, Compute, Formula, Guard, Instruction, Program, Relation

COUNT = 200
KEPT = (13, 16, 30, 380)
"""Seeds of programs on which a wrong rule gives other executions."""
SIZE = 4
LIMITS = Limits(threads=3, states=40_000)
_MARK = " counted on"
_READS = ("h := a", "t := b", "atomic { h := a t := b }", "h := b", "t := h", "h := a t := b")
_CHANGES = (
    *(("a := wrap(h + 1, 0, 3)", "b := wrap(t + 1, 0, 3)") * 3),
    *(
        "a := wrap(a + 1, 0, 3)",
        "atomic { a := wrap(a + 3, 0, 3) }",
        "b := wrap(t + 2, 0, 3)",
        "a := wrap(h - 1, 0, 3)",
    ),
    *("a := 0", "b := 3", "a := b", "a := h", "b := * in 0..3", "a := wrap(h + t, 0, 3)", "h := wrap(t + 1, 0, 3)"),
)
_ODD = ("b := 4", "a := h + 1", "a := wrap(h + 1, 0, 1)", "b := wrap(h, -2, 1)", "t := -1", "a := x", "b := * in 0..5")
_USES = (
    *(
        "x := wrap(h - t, 0, 3)",
        "x := wrap(h - t, -2, 1)",
        "x := wrap(h - t, 0, 1)",
        "x := and(h, 1)",
        "x := mod(h, 2)",
    ),
    *("x := h", "x := wrap(a - b, 0, 3) y := x", "x := and(3, t)", "x := mod(t, 4)"),
    *("x := wrap(h + t + y, 0, 3)",),
    *("x := and(h, t)", "x := wrap(h, 0, 7)", "x := h + 1", "x := mod(t, 3)", "x := and(h, 5)", "x := mod(1, t)"),
    "x := div(h, 2)",
)
_TESTS = (
    *("h == t", "h != t", "a == b", "h == 3", "h != 0", "h == t && a == 1", "h >= 0", "t <= 3 && h != t", "x == 1"),
    *("h < t", "h <= 2", "h + t == 2", "h - t == 1", "h == t || a == 1", "h == 4", "x == h"),
)
_CHECKS = ("h == t", "h <= t", "h - t <= 1", "h != 0 || t == x", "x <= 1", "h + t == 3", "a == b")


def _program(seed: int) -> Program:
    """Threads with two counters of which anything may be made, more often than not what keeps them what they are."""
    rng = Random(seed)
    initial = rng.choice(("global a = 0 global b = 0", "global a = 3 global b = 2", "global a = 1 global b = 3"))
    bodies = [" ".join(_step(rng) for _ in range(rng.choice((2, 3, 4)))) for _ in range(2)]
    own = [
        f"thread own{number} {{ local h in 0..0 local t = 0 local x = 0 local y = 0 {_repeated(rng, body)} }}"
        for number, body in enumerate(bodies)
    ]
    named = [re.sub(r"\b([htxy])\b", rf"\g<1>{number}", text) for number, text in enumerate(own)]
    return parse_program("\n".join((initial, "thread main { spawn own0 spawn own1 }", *named)), "counters.plip")


def _repeated(rng: Random, body: str) -> str:
    """A body a few times over: counters that count on have infinitely many values in loops."""
    return " ".join([body] * rng.choice((1, 1, 2, 3)))


def _step(rng: Random) -> str:
    """A step with some choices among those that are told, and seldom one that is not."""
    odd = 0.05
    change = rng.choice(_ODD if rng.random() < odd else _CHANGES)
    use = rng.choice(_USES[:10] if rng.random() > odd else _USES)
    test = rng.choice(_TESTS[:9] if rng.random() > odd else _TESTS)
    check = f"assert {rng.choice(_CHECKS)}" if rng.random() < 0.4 else ""
    parts = [rng.choice(_READS), use, check, f"if ({test}) {{ {change} }}" if rng.random() < 0.6 else change]
    rng.shuffle(parts)
    return " ".join(parts)


def _seen(program: Program, names: Sequence[str]) -> tuple[Mapping[int, object], object] | None:
    """What threads see at locations, and which checks fail, with the numbers in C of cells that count on.

    None where there are too many states.
    """
    found = explore(program, LIMITS)
    if found.states >= LIMITS.states:
        return None

    def number(store: Mapping[str, Value], name: str) -> object:
        counted = store.get(name + _MARK)
        return counted % SIZE if isinstance(counted, int) else store.get(name)

    stores = {
        location: {tuple(number(store, name) for name in names) for store in found.thread_stores(location)}
        for location in found.stores
    }
    return stores, set(found.failures)


def _differs(seed: int) -> bool | None:
    """Whether a program has other executions when its counters count on; None where none does, or they are many."""
    program = _program(seed)
    told = with_counting_on(program, sizes=(SIZE,))
    names = sorted(program.cells)
    before = None if told is program else _seen(program, names)
    after = None if before is None else _seen(told, names)
    if before is None or after is None:
        return None
    kept = {location: stores for location, stores in after[0].items() if location in program.template_of}
    return (before[0], before[1]) != (kept, after[1])


def test_counting_on_changes_no_execution() -> None:
    answers = [_differs(seed) for seed in sorted({*range(COUNT), *KEPT})]
    assert True not in answers
    assert answers.count(False) > COUNT // 10


def test_counters_that_are_equal_after_a_round_would_be_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: counters are equal only where they have made as many rounds."""
    asked = counting_on._Counted._asked

    def wrong(self: counting_on._Counted, template: str, condition: Formula) -> list[counting_on.Way]:
        return [way for way in asked(self, template, condition) if not _is_of_rounds(way)]

    def _is_of_rounds(way: counting_on.Way) -> bool:
        return any(isinstance(step, Compute) for step in way) and not any(
            isinstance(step, Guard) and isinstance(step.condition, Atom) and step.condition.relation is Relation.NE
            for step in way[2:]
        )

    monkeypatch.setattr(counting_on._Counted, "_asked", wrong)
    assert any(_differs(seed) for seed in KEPT)


def test_what_differs_for_congruent_numbers_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: whatever is computed of a counter counts as the same for all congruent numbers."""
    monkeypatch.setattr(counting_on._Numbers, "_is_told", lambda *_: True)
    assert any(_differs(seed) for seed in KEPT)


def test_other_numbers_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: anything may be written to a counter."""
    monkeypatch.setattr(counting_on._Numbers, "_is_number", lambda *_: True)
    assert any(_differs(seed) for seed in KEPT)


def test_orders_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: counters may be asked which one is larger."""
    spoilt = counting_on._Numbers._spoilt

    def wrong(self: counting_on._Numbers, step: Instruction, found: frozenset[str]) -> list[str]:
        return [] if isinstance(step, Guard) else list(spoilt(self, step, found))

    monkeypatch.setattr(counting_on._Numbers, "_spoilt", wrong)
    assert any(_differs(seed) for seed in KEPT)
