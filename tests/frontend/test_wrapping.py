"""Values that are wrapped into a type and then into one that is no larger: as if they were wrapped once."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.result import Status
from tests.frontend.running import statuses

START = "#include <assert.h>\nextern unsigned any(void);\nstatic unsigned three(unsigned h) { return 3 - h; }\n"
PROVED = {
    "a difference below zero": "int n = 7 - h; assert(n <= 7 && n >= -24);",
    "a cast": "int n = (int)(h - 8u) / 2; assert(n <= 11 && n >= -4);",
    "of another function": "int n = three(h); assert(n <= 3);",
    "to a larger type": "long n = (int)(7u - h); assert(n >= -24);",
    "to a smaller type": "signed char n = 200u - h; assert(n < 0);",
    "twice": "short n = (short)(unsigned char)(h - 8u); assert(n >= 0);",
}
OPEN = {
    "a larger type": "long n = 7 - h; assert(n <= 7);",
    "a smaller type": "unsigned char n = 7 - h; assert(n <= 7);",
    "a smaller type on the way": "short n = (short)(unsigned char)(h - 8u); assert(n < 20);",
    "a larger type with a sign": "unsigned long n = (int)(7u - h); assert(n <= 7);",
    "a sign on the way": "unsigned char n = (signed char)(h - 8u); assert(n <= 23);",
    "a sign and a larger type": "unsigned short n = (signed char)(h + 190u); assert(n < 256);",
    "a sign, an int and a larger type": "unsigned short n = +(signed char)(h + 190u); assert(n < 256);",
    "what was wrapped before": "unsigned u; int n = u = 7 - h; assert(n > -30); assert(u <= 7);",
    "a product": "int n = (int)(h * 4000000000u); assert(n <= 5);",
    "a value that is gone": "unsigned u = 7 - h; h = 0; int n = u; assert(n == 7);",
    "more than there is": "unsigned long big = any(); int n = 3 - big; assert(n <= 3);",
}


def program(body: str) -> str:
    return f"{START}int main(void) {{ unsigned h = any() & 31u; {body} return 0; }}\n"


@pytest.mark.parametrize("name", PROVED)
def test_wrapping_twice_is_wrapping_once(tmp_path: Path, name: str) -> None:
    assert set(statuses(tmp_path / "a.c", program(PROVED[name]))) <= {Status.PROVED}


@pytest.mark.parametrize("name", OPEN)
def test_values_that_differ_are_not_taken_for_each_other(tmp_path: Path, name: str) -> None:
    assert Status.UNPROVED in statuses(tmp_path / "a.c", program(OPEN[name]))
