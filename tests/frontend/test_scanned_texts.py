"""Strings that a library function has written only where it says so: scanf by its count, getcwd by its result."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.bodies import compiled, decided, fails

START = """
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static size_t used;
"""
OWN = "char a[8], b[8], text[2]; memset(a, 'x', 8); memset(b, 'x', 8); memset(text, 'x', 2);"
HOLDS = {
    "all are stored": 'if (sscanf("one two", "%7s %7s", a, b) == 2) used = strlen(a) + strlen(b);',
    "the first is stored": 'if (sscanf("one", "%7s %7s", a, b) >= 1) used = strlen(a);',
    "else it is left": 'int n, r = sscanf("1 one", "%d %n%7[a-z]", &n, &n, b); if (r != 2) return; used = strlen(b);',
    "a directory": "char path[4096]; if (getcwd(path, sizeof path)) used = strlen(path);",
}
FAILS = {
    "it may be the first only": 'if (sscanf("one", "%7s %7s", a, b) >= 1) used = strlen(b);',
    "nobody asks": 'sscanf("", "%7s", a); used = strlen(a);',
    "there is none": 'if (sscanf("", "%7s", a) == -1) used = strlen(a);',
    "one that is not counted": 'int n; if (sscanf("1", "%d%n%7s", &n, &n, a) > 0) used = strlen(a);',
    "written over": 'if (sscanf("ab", "%1s%c", text, text + 1) == 2) used = strlen(text);',
    "of characters": 'if (sscanf("ab", "%2c", text) == 1) used = strlen(text);',
    "no directory": "if (!getcwd(text, 1)) used = strlen(text);",
}


@pytest.mark.parametrize("name", HOLDS)
def test_a_string_ends_where_it_was_stored(name: str) -> None:
    assert all(check.is_safe for check in decided(START, OWN + HOLDS[name], "array-bounds"))


@pytest.mark.parametrize("name", FAILS)
def test_nothing_is_known_where_it_was_not(name: str) -> None:
    found = [check for check in decided(START, OWN + FAILS[name], "array-bounds") if "strlen" in check.expression]
    assert found
    assert not any(check.is_safe for check in found)


def test_what_fails_does(tmp_path: Path) -> None:
    program = compiled(START, {name: OWN + body for name, body in FAILS.items()}, tmp_path)
    if program is None:
        pytest.skip("there is no compiler with sanitizers")
    assert [name for at, name in enumerate(FAILS) if not fails(program, at)] == []
