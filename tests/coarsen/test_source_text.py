"""Parts of the text of an expression."""

from __future__ import annotations

import pytest

from duet.coarsen.source_text import accessed, index, is_call, right_operand


@pytest.mark.parametrize(
    ("text", "place", "last"),
    [
        ("a[i]", "a[i]", "i"),
        ("a[i + 1] = b == c", "a[i + 1]", "i + 1"),
        ("t[i].u[j[k]] += 3", "t[i].u[j[k]]", "j[k]"),
        ("n[k]++", "n[k]", "k"),
        ("p->x", "p->x", ""),
        ("*p = a[i]", "*p", ""),
    ],
)
def test_the_place_and_its_last_index(text: str, place: str, last: str) -> None:
    assert (accessed(text), index(text)) == (place, last)


def test_calls_are_told_from_other_expressions() -> None:
    assert is_call("memcpy(a, b, n)")
    assert not is_call("(a)")
    assert not is_call("f(x) + 1")


def test_right_operands() -> None:
    assert right_operand("i << j", "<< >>") == "j"
    assert right_operand("x /= y - 1", "/ %") == "y - 1"
    assert right_operand("x + y", "/ %") == ""
