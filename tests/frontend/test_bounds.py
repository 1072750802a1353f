"""`array-bounds`: every access that may be outside of its object has a check, and none that is outside is proved."""

# ruff: noqa: E501  (a program in a line is easier to find)

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import AnalysisOptions, FrontendOptions

START = "#include <stdlib.h>\n#include <string.h>\n#include <alloca.h>\nextern int any(void);\nstruct s { int n; int *p; };\nint a[4], b[8], out;\n"
OUTSIDE = {
    "an element of what is allocated": "int n = any(); int *h = malloc(n * sizeof *h); if (h) h[n] = 1;",
    "an element of so many": "int *h = malloc(16); if (h) h[any() - 3] = 1;",
    "an element of zeroes": "int *h = calloc(any(), 4); if (h) out = h[any()];",
    "an element of a variable length": "int n = any(); int v[n]; v[n] = 2;",
    "an element of one of two": "int *p = any() > 3 ? a : b; p[any() - 2] = 1;",
    "an element of the smaller one": "int *p = any() > 3 ? a : b; p[5] = 1;",
    "before the first": "int *p = b; p -= any(); *p = 1;",
    "a larger type": "char c = 0; out = *(int *)&c;",
    "a larger type that is allocated": "struct s *p = malloc(4); if (p) p->p = 0;",
    "all bytes and more": "char c[4]; memset(c, 0, any());",
    "more bytes than there are": "char c[4]; memset(c, 0, 8); out = c[0];",
    "a copy of too much": "char c[4], d[8] = {0}; memcpy(c, d, 8); out = c[0];",
    "a copy from too little": "char c[4] = {0}, d[8]; memcpy(d, c, 8); out = d[0];",
    "what is given back smaller": "int *h = realloc(malloc(40), 4); if (h) h[any()] = 1;",
}
INSIDE = {
    "an element of so many": "int *h = malloc(32); if (h) { int i = any() & 7; h[i] = 1; }",
    "one of two": "int *p = any() > 3 ? a : b; p[any() & 3] = 1;",
    "a part by bytes": "char *p = (char *)b; p[any() & 31] = 1;",
    "a structure that is allocated": "struct s *p = malloc(sizeof *p); if (p) { p->n = 1; p->p = 0; }",
    "all bytes": "memset(a, 0, sizeof a); memcpy(b, a, sizeof a);",
    "the middle": "int *p = b + 4; for (int i = -4; i < 4; i++) p[i] = i;",
}


def _checks(text: str) -> list[bool]:
    """Whether each check of a body of `main` is decided to hold."""
    options = FrontendOptions(properties=("array-bounds",))
    source = f"{START}int main(void) {{ {text} return 0; }}\n"
    unit = parse(_without_includes(source), "a.c", options)
    return [status.is_safe for status in analyse(lower(unit, options).program, AnalysisOptions(domain="auto")).statuses]


def _without_includes(source: str) -> str:
    declared = "typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void *memset(void *, int, size_t); void *memcpy(void *, const void *, size_t);\n"
    return declared + "\n".join(line for line in source.splitlines() if not line.startswith("#"))


@pytest.mark.parametrize("name", OUTSIDE)
def test_an_access_that_may_be_outside_is_not_proved(name: str) -> None:
    assert not all(_checks(OUTSIDE[name]))


@pytest.mark.parametrize("name", INSIDE)
def test_an_access_that_is_inside_is_proved(name: str) -> None:
    found = _checks(INSIDE[name])
    assert found
    assert all(found)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("name", OUTSIDE)
def test_it_is_really_outside(name: str, tmp_path: Path) -> None:
    source, program = tmp_path / "a.c", tmp_path / "a"
    source.write_text(f"{START}int main(void) {{ {OUTSIDE[name]} return 0; }}\nint any(void) {{ return 7; }}\n")
    command = [
        "gcc",
        "-w",
        "-O0",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
        "-o",
        str(program),
        str(source),
    ]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("gcc has no sanitizers")
    assert subprocess.run([str(program)], capture_output=True, check=False).returncode != 0
