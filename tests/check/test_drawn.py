"""Numbers that threads draw from counters tell their accesses apart, and only where each number is drawn once."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from unittest.mock import patch

import pytest

from duet.check import drawn
from duet.check.races import races
from duet.plip.accesses import AccessKind, Bytes
from tests.check.judged import access, together, with_accesses

LOCKED = "acquire m  i := next  next := i + 1  release m"
SPLIT = "acquire m  i := next  release m  acquire m  next := i + 1  release m"
SET = "acquire m  i := next  next := i + 1  release m  acquire m  next := 0  release m"
UNEQUAL = "acquire m  i := next  next := i + 1  release m  acquire m  next := next - 1  release m"
LIMITED = "acquire m  if (next <= 9) { i := next  next := i + 1  } else { i := -1 } release m"
PASSED = "i := next  atomic { [next == i] next := i + 1 }"
RESET = "acquire m  next := 5  release m"
LATER = f"choose {{ {PASSED} }} or {{ i := next  atomic {{ [next == i + 1] next := i + 2 }} }}"
WRAPPED = "atomic { i := next  t := wrap(i + 1, 0, 255)  next := t }"


def are_apart(draw: str, start: str = "spawn w  spawn w", factor: int = 4, size: int = 4) -> bool:
    """Whether threads that draw a number again and again do not race on the bytes that it tells.

    Those of the templates `w` and `v` do the same.
    """
    text = f"global m = 0 global next = 0 thread main {{ {start} }}"
    made = {}
    for line, (name, i, t) in {3: ("w", "i", "t"), 5: ("v", "j", "u")}.items():
        own = re.sub(r"\b(i|t)\b", lambda found, i=i, t=t: i if found[0] == "i" else t, draw)  # type: ignore[misc]
        text += f"\nthread {name} {{ local {i} = 0 local {t} = 0 while (*) {{ {own}\n[{i} >= 0] }} }}"
        written = access(AccessKind.WRITE, "a", "[*]", line=line)
        made[line] = (replace(written, bytes=Bytes(((i, factor),), 4096, size)),)
    program = with_accesses(text, made)
    return not races(program, (together(program),))


@pytest.mark.parametrize(
    ("draw", "expected"),
    [
        (LOCKED, True),
        ("atomic { i := next  next := i + 1 }", True),
        ("atomic { i := next  next := i - 2 }", True),
        ("acquire m  next := next + 1  i := next  release m", True),
        (PASSED, True),
        ("i := next  next := i + 1", False),
        ("atomic { i := next  next := i }", False),
        (SPLIT, False),
        (SET, False),
        (UNEQUAL, False),
        (LATER, False),
        (WRAPPED, False),
        (f"{WRAPPED}  i := next", False),
        (f"{LOCKED}  choose {{ i := 0 }} or {{ }}", False),
        (f"choose {{ {LOCKED} }} or {{ i := next }}", False),
    ],
)
def test_each_number_is_drawn_once(draw: str, expected: bool) -> None:
    assert are_apart(draw) is expected


def test_what_is_not_drawn_may_be_a_constant_that_is_excluded_where_something_is_accessed() -> None:
    assert are_apart(f"{LIMITED}\n[i >= 0]  t := 0") is False  # the access is in front of the condition
    assert are_apart(f"{LIMITED}  assume i >= 0") is True


def test_accesses_are_as_long_as_numbers_are_apart() -> None:
    assert are_apart(LOCKED, size=4)
    assert not are_apart(LOCKED, size=5)
    assert not are_apart(LOCKED, factor=2)
    assert are_apart(LOCKED.replace("+ 1", "+ 2"), factor=2)


@pytest.mark.parametrize("start", ["spawn w  spawn v", "while (*) { spawn w }"])
def test_counters_do_not_start_over_where_no_more_is_drawn_beyond_a_limit(start: str) -> None:
    limited = f"{WRAPPED}  if (i >= 200) {{ break }}"
    assert are_apart(limited, start) is (start == "spawn w  spawn v")
    assert not are_apart(limited.replace("200", "254"), start)


def test_a_counter_is_set_again_while_nobody_has_a_number() -> None:
    threads = "spawn w  spawn w"
    assert are_apart(LOCKED, f"{RESET}  {threads}")
    assert not are_apart(LOCKED, f"{threads}  {RESET}")


def test_a_draw_that_is_never_reached_is_none() -> None:
    never = "acquire m  atomic { i := next  [i >= 12] }  next := wrap(i + 1, 0, 255)  release m"
    assert not are_apart(f"choose {{ {never} }} or {{ i := next }}", "spawn w  spawn v")


def _always(*_: object) -> bool:
    return True


def _never(*_: object) -> bool:
    return False


@pytest.mark.parametrize(
    ("name", "wrong", "draw", "start"),
    [
        ("_Counter.is_alone", _always, SPLIT, "spawn w  spawn w"),
        ("_Counter._knows", _never, LOCKED, f"spawn w  spawn w  {RESET}"),
        ("_Counter._is_within", _always, WRAPPED, "spawn w  spawn w"),
    ],
)
def test_each_part_is_needed(name: str, wrong: Callable[..., bool], draw: str, start: str) -> None:
    owner, _, method = name.partition(".")
    with patch.object(getattr(drawn, owner), method, wrong):
        assert are_apart(draw, start)
    assert not are_apart(draw, start)
