"""A pointer that is not null is not null where it is moved to, either; one that is null may be moved by nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.running import are_proved

START = """#include <string.h>
#include <sys/mman.h>
struct in { int n, m; }; struct s { int row[4]; struct in in; } many[4];
int any(void), *one, a[8]; int **places[2]; void take(struct s);
void ignore(int *p) { }
struct s *behind(struct s *t, int by) { return by > 5 ? 0 : t + by; }
void set(int *row, int *at) { row[*at] = 1; }
int main(void) {
  int i = any(), j = any(), nothing = 0, *p = any() ? a : 0; struct s *t = any() ? many : 0, v = {0};
"""
NULL = "null-dereference"
FAILING = {
    "an element": "p[i] = 1;",
    "the first element": "p[nothing] = 1;",
    "read": "i = p[nothing];",
    "turned around": "nothing[p] = 1;",
    "a sum": "*(p + nothing) = 1;",
    "a sum the other way": "*(nothing + p) = 1;",
    "a difference": "*(p - nothing) = 1;",
    "twice": "(p + nothing)[nothing] = 1;",
    "counted": "p[nothing]++;",
    "changed": "p[nothing] += 2;",
    "a structure": "t[nothing] = v;",
    "a structure that is read": "v = t[nothing];",
    "a structure that is passed": "take(t[nothing]);",
    "a member": "t[nothing].in.m = 1;",
    "an array that is a member": "t->row[nothing] = 1;",
    "one that is kept": "int *q = p + nothing; *q = 1;",
    "the address of an element": "int *q = &p[nothing]; *q = 1;",
    "one that is compared": "int *q = p + nothing; if (!q) *q = 1;",
    "one of two": "(any() ? p : a)[nothing] = 1;",
    "of another type": "((char *)p)[nothing] = 1;",
    "moved by bytes": "*(int *)((char *)p + nothing) = 1;",
    "for a function": "set(p, &nothing);",
    "for one of the library": "memset(p + nothing, 0, 4);",
    "one that is null": "p = 0; p[i] = 1;",
    "a choice with null": "(any() ? a : (int *)0)[i + 1] = 1;",
    "what a call gives or not": 'i = strlen(strstr("ab", "b") + 1);',
    "a character that a call finds or not": 'i = *(strchr("ab", j) + 1);',
    "one that is moved and kept": "p += i; *p = 1;",
    "moved down": "p -= i; *p = 1;",
    "moved step by step": "for (; j > 0; j--) { *p = j; p += i; }",
    "moved there and back": "int *q = p + i; q -= i; *q = 1;",
    "what a call that may fail has given": "int *q = mmap(0, 32, 3, 2, 3, 0); q[i & 7] = 1;",
}
OUTSIDE = {
    "moved to null": "if (p) p[i] = 1;",
    "a sum that is null": "if (p) *(p + i) = 1;",
    "kept": "if (p) { int *q = p + i; *q = 1; }",
    "moved and kept": "if (p) { p += i; *p = 1; }",
    "moved down": "if (p) { p -= i; *p = 1; }",
    "moved step by step": "for (; p && j > 0; j--) { *p = j; p -= i; }",
}
TRUE = {
    "elements": "if (p) { p[i] = 1; j = p[-1] + *(p + i); p[j]++; *(p - i) += any(); }",
    "an index that a call gives": "if (p) p[any()] = any();",
    "structures": "if (t) { t[i] = v; v = t[j]; take(t[any()]); t[i].in.m = any(); }",
    "in a function": "if (p) { set(p, &i); set(p, &j); }",
    "moved twice": "if (p) (p + i)[j] = 1;",
    "given by a function": "if (t) { t = behind(t, i); if (t) { t->in.m = 1; t++; *t = v; --t; *t = v; } }",
    "nobody follows it": "ignore(p + nothing);",
}


@pytest.mark.parametrize("name", FAILING)
def test_null_is_followed(tmp_path: Path, name: str) -> None:
    assert not are_proved(tmp_path / "a.c", f"{START} {FAILING[name]} return i + j; }}\n", (NULL,), "interval")


@pytest.mark.parametrize("name", OUTSIDE)
def test_where_null_may_come_of_moving_it_bounds_are_open(tmp_path: Path, name: str) -> None:
    text = f"{START} {OUTSIDE[name]} return i + j; }}\n"
    assert not are_proved(tmp_path / "a.c", text, (NULL, "array-bounds"), "interval")


@pytest.mark.parametrize("name", TRUE)
def test_null_is_not_followed(tmp_path: Path, name: str) -> None:
    assert are_proved(tmp_path / "a.c", f"{START} {TRUE[name]} return i + j; }}\n", (NULL,), "interval")


NUMBERS = {
    "a number": "long n = any(); p = (int *)n; if (p) { char *q = (char *)p - n; assert(q != 0); }",
    "what is seen as a pointer": "long n = any(); char *q = *(char **)&n; if (q) { q -= n; assert(q != 0); }",
    "a number that is written out": "char *q = any() ? (char *)a : (char *)8192; q -= any(); assert(q != 0);",
    "a pointer that was a number": "long n = any() | 1; char *q = (char *)n - n; assert(q != 0);",
    "a sum that goes around": "unsigned long n = any(); if (n) { char *q = (char *)n + (0 - n); assert(q != 0); }",
    "one that is kept": "unsigned long n = any(); if (n) { char *q = (char *)n; q += -n; assert(q != 0); }",
    "a small one": "char *q = (char *)8; long n = any(); if (n > -8) return 0; q += (unsigned long)n; assert(q);",
    "by elements": "unsigned long n = any(); p = (int *)(n * 4); if (p) { int *q = p + (1ul << 62) - n; assert(q); }",
}


@pytest.mark.parametrize("properties", [("assertion",), ("assertion", NULL)], ids=str)
@pytest.mark.parametrize("name", NUMBERS)
def test_what_may_be_a_number_may_be_moved_to_null(tmp_path: Path, name: str, properties: tuple[str, ...]) -> None:
    text = f"#include <assert.h>\n{START} {NUMBERS[name]} return i + j; }}\n"
    assert not are_proved(tmp_path / "a.c", text, properties, "interval")
