"""Vectors of GNU C hold anything, wherever their elements come from; dividing them is not understood."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli
from tests.frontend.bodies import compiled, decided, fails

START = """
#include <assert.h>
#include <string.h>
typedef int four __attribute__((vector_size(16)));
typedef char many __attribute__((vector_size(16)));
typedef long two __attribute__((vector_size(16)));
typedef unsigned short one __attribute__((__vector_size__(2), __may_alias__));
struct with { int before; four v; int behind; };
static four kept = {1, 2, 3, 4};
static struct with inside = {1, {1, 2, 3, 4}, 5};
static int numbers[4], other;
static long longs[2];
static four made(void) { return (four){1, 2, 3, 4}; }
"""
FAILING = {
    "stored": "*(four *)numbers = (four){1, 2, 3, 4}; assert(numbers[2] == 0);",
    "stored at first": "*(four *)numbers = (four){1, 2, 3, 4}; assert(numbers[0] != 1);",
    "copied": "four v = {1, 2, 3, 4}; memcpy(numbers, &v, 16); assert(numbers[1] != 2);",
    "of static storage": "int *p = (int *)&kept; assert(p[3] != 4);",
    "in a structure": "int *p = (int *)&inside.v; assert(p[3] != 4);",
    "of characters": "many v = {1, 2, 3, 4, 5, 6, 7, 8, 9}; memcpy(numbers, &v, 16); assert(numbers[2] != 9);",
    "with an address": "two v = {(long)&other, 2}; memcpy(longs, &v, 16); *(int *)longs[0] = 5; assert(other == 0);",
    "an element": "four v = {1, 2, 3, 4}; v[1] = 7; memcpy(numbers, &v, 16); assert(numbers[1] != 7);",
    "an element of an array": "four *p = (four *)numbers; (*p)[2] = 7; assert(numbers[2] != 7);",
    "one short number": "one v = {300}; memcpy(numbers, &v, 2); assert(numbers[0] == 44);",
    "a sum": "four v = {1, 2, 3, 4}; *(four *)numbers = v + v; assert(numbers[0] == 0);",
    "a result": "*(four *)numbers = made(); assert(numbers[0] == 0);",
}
PROVED = {
    "one short number": "one v = {300}; v[0] += other; assert(sizeof v == 2 && _Alignof(one) == 2);",
    "around": "assert(inside.before == 1 && inside.behind == 5 && sizeof inside == 48);",
    "others": "four v = {1, 2, 3, 4}; v[1] = 7; v = v + v; assert(other == 0 && sizeof v == 16);",
}


@pytest.mark.parametrize("name", FAILING)
def test_nothing_is_known_of_elements(name: str) -> None:
    assert not all(check.is_safe for check in decided(START, FAILING[name], "assertion"))


@pytest.mark.parametrize("name", PROVED)
def test_others_are_as_they_were(name: str) -> None:
    assert all(check.is_safe for check in decided(START, PROVED[name], "assertion"))


def test_what_fails_does(tmp_path: Path) -> None:
    program = compiled(START, FAILING, tmp_path)
    if program is None:
        pytest.skip("there is no compiler with sanitizers")
    assert [name for at, name in enumerate(FAILING) if not fails(program, at)] == []


@pytest.mark.parametrize("operator", ["/", "%"])
def test_a_division_is_not_taken_for_one_of_floating_numbers(operator: str) -> None:
    body = f"four v = {{1, 2, 3, 4}}; v = v {operator} (four){{1, 1, 1, other}}; assert(sizeof v == 16);"
    assert not all(check.is_safe for check in decided(START, body, "assertion"))


@pytest.mark.parametrize("size", ["1", "2", "sizeof(short)"])
def test_a_vector_that_is_too_small_is_refused(tmp_path: Path, size: str) -> None:
    source = tmp_path / "a.c"
    source.write_text(f"typedef char v __attribute__((vector_size({size})));\nint main(void) {{ return sizeof(v); }}\n")
    found = CliRunner().invoke(cli, ["analyze", str(source), "--properties", "assertion"])
    assert found.exit_code == 2
    assert "negative length" in found.output
