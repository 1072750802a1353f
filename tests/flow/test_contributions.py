"""What commands add to a global."""

from __future__ import annotations

import pytest

from duet.flow.contributions import with_contributions
from duet.plip.parser import parse_program
from duet.plip.printer import show_instruction
from duet.plip.terms import show_term


def _ghostly(body: str, main: str = "spawn T", is_stable: bool = True) -> list[str] | None:
    text = f"global g = 0 summary s = 0 thread main {{ {main} }} thread T {{ local t = 0 local u = 0 {body} }}"
    found = with_contributions(parse_program(text), lambda _cell, _location: is_stable)
    if found is None:
        return None
    return [show_instruction(c.instruction) for c in found.program.commands if "<" in show_instruction(c.instruction)]


@pytest.mark.parametrize(
    ("body", "by"),
    [
        ("g := g + 2", "+ 2"),
        ("t := g; g := t - 1", "- 1"),
        ("atomic { t := g; u := t + 3; g := u }", "+ 3"),
        ("t := u; g := g + t", "+ t"),
        ("atomic { t := g; g := wrap(t + 1, 0, 3) }", "+ 1"),
        ("atomic { [g - t == 0]; g := t + 1 }", "+ 1"),
        ("atomic { [g - t == 2]; g := u }", "- t + u - 2"),
        ("t := g; g := 1", "- t + 1"),
        ("t := g + 2; g := u", "- t + u + 2"),
        ("t := g; u := g; g := t - u", "- t"),
        ("t := g; u := wrap(t + 1, 0, 3); u := 2; g := u", "- t + u"),
    ],
)
def test_what_is_added(body: str, by: str) -> None:
    found = _ghostly(body)
    assert found is not None
    assert len(found) == 1
    assert f'"<g by T>" := "<g by T>" {by};' in found[0]


@pytest.mark.parametrize(
    ("body", "steps"),
    [
        ("atomic { t := g; g := 0 }", 't := g; [t >= 0]; g := 0; "<g by T>" := "<g by T>" - t;'),
        ("atomic { t := g; [g >= 1]; g := 0 }", '[t >= 1]; g := 0; "<g by T>" := "<g by T>" - t;'),
        ("g := g - 1; atomic { t := g; g := 0 }", 'atomic { t := g; [t <= 0]; g := 0; "<g by T>" := "<g by T>" - t; }'),
        ("g := g - t; atomic { t := g; g := 0 }", 'atomic { t := g; g := 0; "<g by T>" := "<g by T>" - t; }'),
        ("atomic { t := g; g := wrap(t + 2, 0, 9) g := 3 }", '"<g by T>" := "<g by T>" - t + 3;'),
    ],
)
def test_what_is_taken_at_once(body: str, steps: str) -> None:
    found = _ghostly(body)
    assert found is not None
    assert steps in found[-1]


@pytest.mark.parametrize(
    "body",
    [
        "g := 1",  # set
        "atomic { g := 0; t := g }",
        "atomic { t := g; t := 0; g := 0 }",
        "g := *",
        "t := g; t := 0; g := t + 1",
        "t := g; if (*) { t := 0 } g := 1",
        "t := g; g := *; g := t + 1",
        "g := g + g",
        "atomic { t := 0; [g - t == 0]; g := u; g := g + g }",
        "atomic { [g - t <= 0]; g := u }",
        "t := s; atomic { t := s; g := g + t }",  # two reads of a summary need not be alike
        "atomic { t := mul(t, u); g := g + t }",
    ],
)
def test_what_is_not(body: str) -> None:
    assert _ghostly(body) is None


def test_copies_count_only_while_they_are_equal() -> None:
    assert _ghostly("t := g; g := t + 1", is_stable=False) is None


def test_the_first_thread_may_set_it_while_it_is_alone() -> None:
    assert _ghostly("g := g + 1", "g := 5 spawn T") is not None
    assert _ghostly("g := g + 1", "spawn T g := 5") is None
    assert _ghostly("g := g + 1", "while (*) { g := 5 spawn T }") is None


@pytest.mark.parametrize(
    ("body", "by"),
    [
        ("t := g; u := wrap(t + 1, 0, 3); g := u", "+ 1"),
        ("atomic { t := g; u := wrap(t - 1, 0, 3) } g := u; assert u <= 2", "- 1"),
        ("u := wrap(g + 2, 0, 3); g := u", "+ 2"),
    ],
)
def test_a_wrap_may_be_kept_until_it_is_stored(body: str, by: str) -> None:
    found = _ghostly(body)
    assert found is not None
    assert [it for it in found if f'"<g by T>" := "<g by T>" {by};' in it]


@pytest.mark.parametrize(
    "body",
    [
        "t := g; u := wrap(t + 1, 0, 3); t := 2; g := t",
        "t := g; u := wrap(t + 1, 0, 3); g := 0; g := u",
        "t := g; if (*) { u := wrap(t + 1, 0, 3) } else { u := wrap(t + 2, 0, 3) } t := 0; g := u",
        "u := wrap(t + 1, 0, 3); g := u",
        "u := mul(g, 1); g := u",
    ],
)
def test_what_is_stored_later_may_be_something_else(body: str) -> None:
    assert _ghostly(body) is None


def test_a_wrap_that_is_kept_is_asked_about_where_it_is() -> None:
    body = "local t = 0 local u = 0 t := g; u := wrap(t + 1, 0, 3); g := u"
    text = f"global g = 0 thread main {{ spawn T }} thread T {{ {body} }}"
    program = parse_program(text)
    found = with_contributions(program, lambda _cell, _location: True)
    assert found is not None
    (wrap,) = set(found.wraps["g"])
    assert show_instruction(program.commands[wrap.command].instruction) == "u := wrap(t + 1, 0, 3)"
    assert (wrap.lo, wrap.hi) == (0, 3)
    assert show_term(wrap.term) == "g + 1"
