"""Addresses of elements whose index is not known, compared where they are formed: each assertion can fail."""

from __future__ import annotations

import pytest

from tests.frontend.bodies import decided

START = """
#include <assert.h>
#include <stdint.h>
static int numbers[4], grid[4][4];
static char text[64];
static short halves[4];
static double reals[4];
static struct pair { int left, right; } pairs[4];
"""
WRONG = {
    "numbers": "assert(&numbers[i] != &numbers[1]);",
    "bytes": "assert(text + i != &text[2]);",
    "an order": "assert(&halves[i] < &halves[2]);",
    "reals": "assert(&reals[i] != reals);",
    "structures": "assert(&pairs[i] != pairs + 3);",
    "members": "assert(&pairs[i].right != &pairs[1].right);",
    "rows": "assert(grid[i] != grid[1]);",
    "an element of a row": "assert(&grid[i][i] != &grid[2][2]);",
    "an end": "int k = 0; while (text + k < text + 64) k++; assert(k < 64);",
    "a condition": "int found = 0; for (int k = 0; k < 4; k++) found |= &numbers[k] == &numbers[i]; assert(!found);",
    "both ends": "assert(!(&numbers[i] >= &numbers[1] && &numbers[i] <= &numbers[2]));",
    "a number": "assert((uintptr_t)&numbers[i] != (uintptr_t)&numbers[3]);",
}
RIGHT = {
    "another element": "assert(&numbers[i] != &numbers[i + 1]);",
    "behind the end": "assert(&numbers[i] < numbers + 4);",
    "another array": "assert((void *)&numbers[i] != (void *)halves);",
}


def _proved(statement: str) -> list[bool]:
    return [check.is_safe for check in decided(START, f"extern int any; int i = any & 3; {statement}", "assertion")]


@pytest.mark.parametrize("name", WRONG)
def test_what_can_fail_is_not_proved(name: str) -> None:
    assert not any(_proved(WRONG[name]))


@pytest.mark.parametrize("name", RIGHT)
def test_what_holds_is_proved(name: str) -> None:
    found = _proved(RIGHT[name])
    assert found
    assert all(found)
