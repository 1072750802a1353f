"""Arrays of arrays whose rows are gone through as one array, as programs do: a pointer to an element leaves its row.

Each statement of `WRONG` sets `grid[1][1]`, one of `RIGHT` does not. By the index of a row alone, `grid[0][i]`, C leads
to elements of that row only; `array-bounds` checks that.
"""

from __future__ import annotations

import pytest

from tests.frontend.bodies import decided

START = """
#include <assert.h>
#include <stdlib.h>
static int grid[2][3];
static struct { int cells[2][3]; } board;
static void set(int *row, int length) { for (int i = 0; i < length; i++) row[i] = 7; }
static void set_one(int *row, int at) { row[at] = 7; }
static int *row(int at) { return grid[at]; }
"""
WRONG = {
    "a parameter": "set(grid[0], 6);",
    "a parameter and an index": "set_one(grid[0], any & 7);",
    "a row of a structure": "set(board.cells[0], 6); grid[1][1] = board.cells[1][1];",
    "the address of the first": "for (int i = 0; i < 6; i++) *(&grid[0][0] + i) = 7;",
    "an index of the address of the first": "for (int i = 0; i < 6; i++) (&grid[0][0])[i] = 7;",
    "an index in front": "for (int i = 0; i < 6; i++) i[&grid[0][0]] = 7;",
    "the first row": "for (int i = 0; i < 6; i++) *(*grid + i) = 7;",
    "a row that is converted": "for (int i = 0; i < 6; i++) ((int *)grid[0])[i] = 7;",
    "one of two rows": "for (int i = 0; i < 6; i++) (any ? grid[0] : grid[1])[i] = 7;",
    "what is given back": "for (int i = 0; i < 6; i++) row(0)[i] = 7;",
}
RIGHT = {
    "a parameter": "set(grid[0], 3);",
    "a parameter and an index": "set_one(grid[0], any & 1);",
    "the address of the first": "*(&grid[0][0] + 2) = 7;",
    "an index of a row": "grid[0][any & 3] = 7;",
}


def _proved(statement: str) -> list[bool]:
    body = f"extern int any; {statement} assert(grid[1][1] == 0);"
    return [check.is_safe for check in decided(START, body, "assertion")]


@pytest.mark.parametrize("name", WRONG)
def test_other_rows_are_reached(name: str) -> None:
    assert not any(_proved(WRONG[name]))


@pytest.mark.parametrize("name", RIGHT)
def test_other_rows_are_not_reached(name: str) -> None:
    found = _proved(RIGHT[name])
    assert found
    assert all(found)
