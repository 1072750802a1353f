"""Lengths of arrays that are no constants: known where they last, never taken from another time."""

# ruff: noqa: E501  (a program in a line is easier to find)

from __future__ import annotations

from pathlib import Path

import pytest

from duet.result import Status
from tests.frontend.running import statuses

START = "#include <assert.h>\n"
PROVED = {
    "a parameter": "void f(int n) { int a[n]; assert(sizeof a == 12); } int main(void) { f(3); }",
    "a constant": "int main(void) { const int n = 3; int a[n][2]; assert(sizeof a == 24); }",
    "an object that nothing writes": "static int n = 3; int main(void) { int a[n]; assert(sizeof a == 12); }",
    "a type": "int main(void) { const int n = 3; typedef int t[n]; assert(sizeof(t *) == 8 && sizeof(t) == 12); }",
    "the type of another": "int main(void) { const int n = 3; int a[n]; __typeof__(a) b; assert(sizeof b == 12); }",
    "elements": "void f(int n) { int a[n]; for (int i = 0; i < 3; i++) a[i] = i; assert(a[2] == 2); } int main(void) { f(3); }",
    "a row": "void f(int n) { int a[2][n]; int (*p)[n] = a; p[1][0] = 7; assert(a[1][0] == 7); } int main(void) { f(3); }",
    "a generic function": (
        "static long n = 7; int main(void) { __auto_type v = __atomic_load_n(&n, 5); assert(sizeof v == 8 && v == 7); }"
    ),
}  # fmt: skip
OPEN = {
    "a type from before a loop": (
        "int main(void) { int i = 5, a[2]; typedef int t[i]; "
        "for (i = 0; i < 2; i++) { a[i] = 1; assert(sizeof(t) == 4ul * i); } }"
    ),
    "an array from before a loop": (
        "int main(void) { int i = 5, a[2]; int v[i]; "
        "for (i = 0; i < 2; i++) { a[i] = 1; assert(sizeof v == 4ul * i); } }"
    ),
    "an object that is written": "static int n = 3; int main(void) { int a[n]; n = 4; assert(sizeof a == 16); }",
    "a row of another length": (
        "void f(int n, int m) { int a[2][n]; n = m; int *p = a[1]; assert(p - a[0] == m); } int main(void) { f(3, 4); }"
    ),
}


@pytest.mark.parametrize("name", PROVED)
def test_lengths_that_are_known(name: str, tmp_path: Path) -> None:
    assert set(statuses(tmp_path / "a.c", START + PROVED[name])) <= {Status.PROVED}


@pytest.mark.parametrize("name", OPEN)
def test_lengths_of_another_time(name: str, tmp_path: Path) -> None:
    assert Status.PROVED not in statuses(tmp_path / "a.c", START + OPEN[name])
