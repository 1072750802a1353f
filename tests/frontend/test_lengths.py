"""Lengths of arrays that are no constants: known where they last, never taken from another time."""

# ruff: noqa: E501  (a program in a line is easier to find)

from __future__ import annotations

from pathlib import Path

import pytest

from duet.result import Status
from tests.frontend.running import are_proved, statuses

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


BOUNDS = ("array-bounds",)
AT_LEAST_ONE = "int main(int n, char **v) { if (n < 1 || n > 1000) return 0; "
INSIDE = {
    "each element": "int a[n]; for (int i = 0; i < n; i++) a[i] = 1; a[n - 1] = 2; }",
    "a length that changes later": "int a[n], k = n; n = 0; a[k - 1] = 2; }",
    "a member": "struct { int x, y; } a[n]; a[n - 1].y = 2; }",
    "a row of a constant length": "int a[n][4]; a[n - 1][3] = 2; }",
    "through a pointer": "int a[n], *p = a + n; p[-1] = 2; }",
    "a function of the library": "char a[n]; memset(a, 0, n); }",
}
OUTSIDE = {
    "the end": "int a[n]; a[n] = 2; }",
    "a length that grew later": "int a[n]; n++; a[n - 1] = 2; }",
    "an effect in the length": "int a[n++]; a[n - 1] = 2; }",
    "a shorter one each time": "for (int k = 5; k > 0; k--) { int a[k]; a[n % 5] = 2; } }",
    "a type from before": "typedef int t[n]; n += 5; t a; a[n - 1] = 2; }",
    "a row": "int a[3][n]; a[0][n] = 2; }",
    "another function": "void f(int *p, int k) { p[k] = 2; } " + AT_LEAST_ONE + "int a[n]; f(a, n); }",
    "one of two": "int a[n], b[n + 1], *p = n > 5 ? a : b; p[n] = 2; }",
    "of each call": "int f(int k) { if (k < 1) return 0; int a[k]; f(k - 1); a[k] = 2; return a[0]; } "
    + AT_LEAST_ONE
    + "f(n); }",
    "in a handler": "int *volatile p; int k; void h(int s) { if (p) p[k] = 2; } "
    + AT_LEAST_ONE
    + "int a[n]; signal(2, h); k = n; p = a; raise(2); }",
    "too many bytes": "short a[n]; memset(a, 0, n * sizeof(int)); }",
    "no element": "int a[n - 1]; }",
}


def _bounds(text: str) -> str:
    return f"#include <signal.h>\n#include <string.h>\n{text if 'main' in text else AT_LEAST_ONE + text}"


@pytest.mark.parametrize("name", INSIDE)
def test_accesses_inside_of_an_array_of_variable_length(name: str, tmp_path: Path) -> None:
    assert are_proved(tmp_path / "a.c", _bounds(INSIDE[name]), BOUNDS, "auto")


@pytest.mark.parametrize("name", OUTSIDE)
def test_accesses_outside_of_an_array_of_variable_length(name: str, tmp_path: Path) -> None:
    assert not are_proved(tmp_path / "a.c", _bounds(OUTSIDE[name]), BOUNDS, "auto")
