"""Sizes that were numbers with a sign: no object has more than half of all addresses, so these were not negative."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.frontend import running

PROGRAM = """
#include <stdlib.h>
extern int any(void);
static int count;
static void work(int n, long wide)
{
	@BODY@
}
int main(void)
{
	count = any();
	work(any(), any());
}
"""
PROVED: Mapping[str, str] = {
    "so many elements": "int *a = malloc(n * sizeof *a); if (a) for (int i = 0; i < n; i++) a[i] = i;",
    "the last one": "int *a = malloc(sizeof(int) * n); if (a && n) a[n - 1] = 1;",
    "zeros": "long *a = calloc(n, sizeof *a); if (a) for (int i = 0; i < n; i++) a[i] = i;",
    "as many as a global says": "long *a = calloc(count, 8); if (a) for (int i = 0; i < count; i++) a[i] = i;",
    "some more": "short *a = malloc((n + 5L) * sizeof *a); if (a && n > 0) a[n + 4] = 1;",
    "of a number that grows later": "char *a = malloc(n); if (a && n > 0) { a[n - 1] = 1; n++; }",
}
OPEN: Mapping[str, str] = {
    "one too many": "int *a = malloc(n * sizeof *a); if (a) for (int i = 0; i <= n; i++) a[i] = i;",
    "behind some more": "short *a = malloc((n + 5L) * sizeof *a); if (a && n > 0) a[n + 5] = 1;",
    "an int that goes round": "unsigned u = n; int *a = malloc(u * 4); if (a && u > 0) a[u - 1] = 1;",
    "a long that goes round": (
        "char *a = malloc((unsigned long)wide * (1UL << 62) + 8); if (a && wide >= 0) a[wide] = 1;"
    ),
    "a number that has grown": "int *a = calloc(n, 4); if (a && n > 0 && n < 1000) { n++; a[n - 1] = 1; }",
    "a global that others change": (
        "count = n; int *a = malloc(4L * count); count = any(); if (a && count > 0) a[count - 1] = 1;"
    ),
    "as many bytes": "int *a = malloc(n); if (a && n > 0) a[n - 1] = 1;",
    "a negative one": "char *a = malloc(n + 2147483648L); if (a && n < 0) a[n + 2147483648L] = 1;",
}


def are_proved(directory: Path, body: str) -> bool:
    """Whether all accesses of a program stay inside of their objects."""
    return running.are_proved(directory / "program.c", PROGRAM.replace("@BODY@", body), ("array-bounds",), "auto")


@pytest.mark.parametrize("name", PROVED)
def test_memory_has_as_many_bytes_as_a_number_with_a_sign_says(tmp_path: Path, name: str) -> None:
    assert are_proved(tmp_path, PROVED[name])


@pytest.mark.parametrize("name", OPEN)
def test_other_numbers_say_nothing_of_it(tmp_path: Path, name: str) -> None:
    assert not are_proved(tmp_path, OPEN[name])
