"""Programs with ghosts for parts of words have the same executions: random ones, against the semantics."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from duet.frontend.judgments import word_parts, word_terms
from duet.frontend.judgments.word_parts import with_word_parts
from duet.frontend.judgments.word_terms import Definition
from duet.plip.execute import Samples
from duet.plip.parser import parse_program
from duet.plip.semantics import Limits, explore
from duet.plip.syntax import Assign, Atom, Guard, Linear, Program, Step
from duet.plip.terms import map_atoms

COUNT = 150
KEPT = (46, 84, 101, 193, 601)
"""Seeds of programs on which a wrong rule gives other executions."""
LIMITS = Limits(threads=3, states=6_000, value=1 << 12)
SAMPLES = Samples(tuple(range(16)), tuple(range(-2, 16)))
_READS = ("l := a", "m := b", "l := m", "m := l", "l := 5", "m := 2", "n := l", "n := m", "l := n")
_TAKES = (
    *("n := and(l, 1)", "n := and(l, 2)", "n := and(l, 6)", "n := and(m, 3)", "n := shr(l, 1)", "n := shr(m, 2)"),
    *("n := mod(l, 2)", "n := mod(m, 4)", "n := div(l, 2)", "n := wrap(l, 0, 1)", "n := wrap(m, 0, 3)"),
    *("n := and(4, m)", "n := wrap(l, -2, 1)", "n := wrap(l, 1, 2)", "n := mod(l, 3)", "n := and(l, m)"),
    *("l := shr(l, 1)", "n := and(l + 1, 1)", "n := shr(a, 1)", "n := and(a, 2)", "n := and(b, 1)"),
)
_PUTS = (
    *("a := or(l, 1)", "a := and(l, 6)", "a := xor(l, 2)", "b := or(m, 4)", "b := and(m, 3)", "a := or(a, 2)"),
    *("a := and(a, 13)", "a := 2*l", "a := 4*n + l", "a := 2*n + 1", "b := 4*m + 2*n + 1", "b := l", "a := m"),
    *("a := wrap(l + 2, 0, 7)", "b := wrap(m + 4, 0, 15)", "a := wrap(m + 1, 0, 7)", "b := shl(m, 1)", "a := 3"),
    *("a := * in 0..3", "b := l - 4", "a := -l", "l := xor(l, 1)", "m := 2*l + m", "b := wrap(2*m + 1, 0, 7)"),
    *("a := wrap(l, -4, 3)", "l := wrap(2*l, 0, 7)", "b := or(l, m)", "b := xor(m, -1)", "a := or(l, -2)", "b := 6"),
    *(
        "m := and(l, 12)  a := or(m, n)",
        "m := and(a, -4)  a := or(n, m)",
        "l := and(m, 5)  b := xor(l, 10)",
        "a := 3*l",
    ),
    *("m := shl(l, 2)  n := and(n, 3)  a := or(m, n)", "n := and(l, 3)  m := and(m, 6)  b := xor(m, n)", "b := m - l"),
)
_TESTS = ("n == 1", "n != 0", "n == 0", "l == 2", "a == 1", "b == 0", "n >= 2", "n == l", "a == 4 || n == 1", "m == -1")


def _program(seed: int) -> Program:
    """Two threads that read words, take bits out of them and put them together, in steps of their own or in one."""
    rng = Random(seed)
    first = (
        f"global a = {rng.choice((0, 0, 1, 5))} global b {rng.choice(('= 0', '= 3', 'in 0..3', '= -1', 'in -2..1'))}"
    )
    threads = []
    for number in range(2):
        local = "in 0..1" if rng.random() < 0.2 else "= 0"
        text = " ".join(_group(rng) for _ in range(rng.choice((2, 3, 4))))
        text = f"while (*) {{ {text} }}" if rng.random() < 0.3 else text
        names = " ".join(f"local {name} {local}" for name in "lmn")
        threads.append(f"thread t{number} {{ {names} {text} }}")
    own = [re.sub(r"\b([lmn])\b", rf"\g<1>{number}", text) for number, text in enumerate(threads)]
    return parse_program("\n".join((first, "thread main { spawn t0 spawn t1 }", *own)), "words.plip")


def _group(rng: Random) -> str:
    """Some steps, as one or one after the other, with a decision at the end."""
    done = [rng.choice(_READS), rng.choice(_TAKES), rng.choice(_PUTS)]
    done += rng.sample((*_READS, *_TAKES, *_PUTS), rng.choice((0, 0, 1)))
    if rng.random() < 0.3:
        rng.shuffle(done)
    test = rng.choice(_TESTS)
    if rng.random() < 0.5:
        place = rng.randrange(len(done) + 1)
        done.insert(place, f"[{test}]")
        return f"atomic {{ {' '.join(done)} }}"
    return f"{' '.join(done)} if ({test}) {{ {rng.choice(_PUTS)} }} assert {rng.choice(_TESTS)}"


def _seen(program: Program, names: Sequence[str]) -> tuple[object, object] | None:
    found = explore(program, LIMITS, SAMPLES)
    if found.states >= LIMITS.states:
        return None
    stores = {
        location: frozenset(tuple(store.get(name) for name in names) for store in found.thread_stores(location))
        for location in found.stores
    }
    return stores, set(found.failures)


def _differs(seed: int) -> bool | None:
    """Whether a random program has other executions with its ghosts; None where it has none, or too many."""
    program = _program(seed)
    told = with_word_parts(program)
    if told is program:
        return None
    before, after = (_seen(it, sorted(program.cells)) for it in (program, told))
    return None if before is None or after is None else before != after


def test_ghosts_change_no_execution() -> None:
    answers = [_differs(seed) for seed in range(COUNT)]
    assert True not in answers
    assert answers.count(False) > COUNT // 10


COMPARED = ("l == m", "n == l", "a == b", "a == l", "b == m", "l == m + 1", "n == m - 2", "a == b + 1", "l == 2*m")


def test_ghosts_of_words_that_are_compared_change_no_execution() -> None:
    with patch(f"{__name__}._TESTS", COMPARED):
        answers = [_differs(seed) for seed in range(COUNT)]
    assert True not in answers
    assert answers.count(False) > COUNT // 10


def _nearly_equal(part: Atom) -> Iterator[tuple[str, str]]:
    """Wrong: words that differ by a constant have the same bits."""
    return EQUAL(replace(part, term=Linear(part.term.terms, 0)))


def test_words_that_are_not_equal_would_be_noticed() -> None:
    with patch(f"{__name__}._TESTS", COMPARED), patch(f"{word_parts.__name__}._equal", _nearly_equal):
        assert any(_differs(seed) for seed in range(COUNT))


EQUAL = word_parts._equal
OF_TERM = word_terms.Words.of_term
PART = word_terms.Words.part
WRAPPED_SUM = word_terms.Words.wrapped_sum


def _with_carries(self: Any, term: Linear, low: int, size: int) -> Linear | None:
    """Wrong: what is added changes only the bits that it has."""
    found = OF_TERM(self, term, low, size)
    alone = OF_TERM(self, Linear(term.terms, 0), low, size) if found is None else None
    return found if alone is None else alone


def _of_any_size(self: Any, part: word_terms.Part) -> Linear | None:
    """Wrong: no cell has bits beyond the second."""
    return PART(self, part) if part.low < 2 else Linear((), 0)


def _in_any_order(self: Any, done: Sequence[Step]) -> list[Step]:
    """Wrong: a ghost of what is copied stays that of the copy."""
    known: dict[str, Linear] = {}
    found: list[Step] = []
    for step in done:
        if isinstance(step, Guard):
            step = Guard(map_atoms(step.condition, lambda part: word_parts._substituted(part, known)))
        if isinstance(step, Assign) and step.target in self.words.ghosts:
            known[step.target] = step.value
        found.append(step)
    return found


def _without_carries(self: Any, step: Definition, size: int) -> Linear | None:
    """Wrong: the lowest bits of a sum are those of its terms."""
    found = WRAPPED_SUM(self, step, size)
    return Linear(found.terms, 0) if found is not None and found.terms else found


DEFECTS = {
    "no-carries": ("Words.of_term", _with_carries),
    "few-bits": ("Words.part", _of_any_size),
    "copies-stay": ("_Rewriter._forwarded", _in_any_order),
    "constants-are-left-out": ("Words.wrapped_sum", _without_carries),
    "anything-comes-first": ("_commute", lambda _step, before: not isinstance(before, Guard)),
    "values-are-not-negative": ("word_bits", lambda program: dict.fromkeys(program.cells, 15)),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_seeded_defects_are_noticed(name: str) -> None:
    target, wrong = DEFECTS[name]
    with patch(f"{word_parts.__name__}.{target}", wrong):
        assert any(_differs(seed) for seed in KEPT)
