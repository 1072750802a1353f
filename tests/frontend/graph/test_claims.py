"""What a thread has claimed is told apart, where that is worth it, and nothing else changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from unittest.mock import patch

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.graph import decided as module
from duet.frontend.graph.decided import decided
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.plip.semantics import explore
from duet.plip.syntax import Program
from duet.result import Status
from tests.frontend.graph.compared import LIMITS, differs, is_same

COUNT = 60
ENOUGH = 300  # programs in which a seeded defect must show
CELLS = "global b0 = 0 global b1 = 0 global u0 = 0 global u1 = 0 global l = 0"
CLAIM = "choose {{ atomic {{ [b{0} == 0] b{0} := 1 }} got := 1 }} or {{ [b{0} != 0] got := 0 }}"
TEST = "acquire l if (b{0} == 0) {{ b{0} := 1 got := 1 }} else {{ got := 0 }} l := 0"
USE = "if (i <= 0) {{ {0} }} else {{ {1} }}"


def _each(text: str, first: str = "0", second: str = "1") -> str:
    return USE.format(text.format(first), text.format(second))


def _thread(name: str, text: str) -> str:
    """A thread with names of its own for its cells."""
    return re.sub(r"\b(i|j|got)\b", rf"{name}\1", f" thread {name} {{ local i local got = 0 local j = 0 {text} }}")


def _program(*parts: str) -> str:
    text = f"i := * in 0..1 {_each(CLAIM)} if (got == 1) {{ {' '.join(parts)} }}"
    threads = (_thread(name, text.replace("MINE", str(value))) for value, name in enumerate("TU", 1))
    return f"{CELLS} thread main {{ spawn T spawn U }} {' '.join(threads)}"


SET, CHECK, BACK = _each("u{0} := MINE"), _each("assert u{0} == MINE"), _each("b{0} := 0")
OTHER = {"first": "1", "second": "0"}
CLAIMED = {
    "alone until it is given back": (_program(SET, CHECK, BACK), True),
    "never given back": (_program(SET, CHECK), True),
    "always the other element": (
        _program(_each("u{0} := MINE", **OTHER), _each("assert u{0} == MINE", **OTHER), BACK),
        True,
    ),
    "given back too early": (_program(SET, BACK, CHECK), False),
    "another one is given back": (
        _program(SET, _each("b{0} := 0", **OTHER), CHECK, "i := * in 0..1", _each(CLAIM), f"if (got == 1) {{ {SET} }}"),
        False,
    ),
    "the index changes": (_program(SET, "i := * in 0..1", CHECK, BACK), False),
    "one element for both": (_program("u0 := MINE assert u0 == MINE", BACK), False),
    "whatever comes of it": (_program(SET, CHECK, BACK).replace("got == 1", "got <= 1"), False),
    "in two steps": (_program(SET, CHECK, BACK).replace("atomic { [b0 == 0] b0 := 1 }", "[b0 == 0] b0 := 1"), False),
    "set to what is free": (_program(SET, CHECK, BACK).replace("b1 := 1", "b1 := 0"), False),
}


@pytest.mark.parametrize("name", CLAIMED)
def test_who_has_claimed_an_element_is_alone_with_it(name: str) -> None:
    text, is_safe = CLAIMED[name]
    program = parse_program(text, "t.plip")
    told = decided(program)
    assert is_same(program, told) is not False
    assert bool(explore(told, LIMITS).failures) is not is_safe
    assert all(it.is_safe for it in analyse(told, AnalysisOptions(domain="interval")).statuses) is is_safe


def test_without_telling_elements_apart_nothing_is_known_of_them() -> None:
    program = parse_program(CLAIMED["alone until it is given back"][0], "t.plip")
    assert set(analyse(program, AnalysisOptions(domain="interval")).statuses) == {Status.UNPROVED}


def _random(seed: int) -> Program:
    """A program of two threads that claim elements, by an index that may change."""
    rng = Random(seed)

    def statement() -> str:
        value, number = rng.randint(1, 2), rng.randint(0, 1)
        return rng.choice(
            (
                _each(rng.choice((CLAIM, TEST))),
                USE.format(CLAIM.format(number), CLAIM.format(rng.randint(0, 1))),
                f"if (got == {number}) {{ {_each(f'u{{0}} := {value}')} }}",
                f"if (got == 1) {{ {_each(f'assert u{{0}} <= {number}')} }}",
                f"i := {rng.choice(('* in 0..1', 'j', '0', '1', 'i + 1', 'i - 1'))}",
                f"j := {rng.choice(('* in 0..1', 'i', 'i + 1', 'i - 1', '0', '1'))}",
                _each(f"b{{0}} := {number}"),
                f"if (j == {number}) {{ {_each('u{0} := 3', **OTHER)} }}",
                f"if (i >= 1) {{ u{number} := {value} }} else {{ got := {number} }}",
            )
        )

    def body() -> str:
        return " ".join(statement() for _ in range(rng.randint(2, 4)))

    text = f"{CELLS} thread main {{ spawn T spawn U }}"
    for name in "TU":
        text += _thread(name, f"i := * in 0..1 {_each(CLAIM)} {body()} {body()}")
    return parse_program(text, "t.plip")


def _differs(seed: int) -> bool | None:
    program = _random(seed)
    return differs(program, decided(program))


def test_a_program_does_what_it_did() -> None:
    answers = [_differs(seed) for seed in range(COUNT)]
    assert True not in answers
    assert answers.count(False) > COUNT // 4


KNOWN = module._Ways._is_known


def _always(self: module._Ways, part: object, known: object) -> bool:
    return True


DEFECTS: dict[str, tuple[str, Callable[..., object]]] = {
    "every-guard-is-known-to-hold": ("_Ways._is_known", _always),
    "what-is-more-was-more": ("_before", lambda question, by: (question[0], question[1] + by)),
    "answers-exclude-themselves": ("_told", lambda _, known, __, truth: None if known[0] is truth else known),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_seeded_defects_are_noticed(name: str) -> None:
    target, wrong = DEFECTS[name]
    with patch(f"{module.__name__}.{target}", wrong):
        assert any(_differs(seed) for seed in range(ENOUGH))
