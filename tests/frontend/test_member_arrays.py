"""What a library function writes from an element of an array on that is a member stays in it, as a check says."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, FrontendOptions

START = """
typedef unsigned long size_t;
long read(int, void *, size_t), recv(int, void *, size_t, int);
void *memcpy(void *, const void *, size_t), *memset(void *, int, size_t), *malloc(size_t);
int y = 2;
struct s { int n; char buf[16]; int *q; short list[2][3]; union { char few[4]; char many[12]; } u; char rest[1]; }
  s = {1, "", &y}, two[2] = {{1}, {1}};
void assert(int);
int main(int count, char **arguments) {
  char text[64] = "text"; struct s *p = malloc(sizeof *p); if (!p || count < 0) return 1;
  p->n = 1; p->q = &y; size_t size = count, at = count;
"""
TRUE = {
    "a member beside it": "if (size <= 16) { read(0, s.buf, size); assert(s.n == 1); }",
    "from further on": "if (at <= 16) { read(0, s.buf + at, 16 - at); assert(s.n == 1 && *s.q == 2); }",
    "of the heap": "if (at < 16) { recv(0, p->buf + at, 16 - at, 0); assert(p->n == 1); *p->q = 3; assert(y == 3); }",
    "copied": "if (size < 17) { memcpy(&s.buf[0], text, size); assert(s.n == 1); }",
    "set": "if (size < 17) { memset(p->buf, 1, size); assert(p->n == 1); }",
    "an array of arrays": "if (size <= 12) { memset(s.list[0], 0, size); assert(s.n == 1); }",
}
FALSE = {
    "what is in it": "if (size <= 16) { read(0, s.buf, size); assert(s.buf[3] == 0); }",
    "more than it has room for": "if (size <= 20) read(0, s.buf, size);",
    "of the heap": "if (size <= 20) recv(0, p->buf, size, 0);",
    "from further on": "if (at < 16) read(0, s.buf + at, 16);",
    "from in front of it": "if (at < 4) read(0, s.buf - at, 4);",
    "copied": "if (size < 18) memcpy(s.buf, text, size);",
    "set": "if (size < 18) memset(p->buf, 1, size);",
    "nobody knows how many": "read(0, p->buf, size);",
    "another element of it": "if (at < 4) { s.buf[9] = 1; read(0, &s.buf[at], 8); assert(s.buf[9] == 1); }",
    "in one of an array": "if (at < 2 && size <= 16) { read(0, two[at].buf, size); assert(two[1].buf[0] == 0); }",
    "in a union": "if (size <= 12) { s.u.many[9] = 1; read(0, s.u.few, size); assert(s.u.many[9] == 1); }",
    "all of it by its first array": "struct t { char a[2], b[2]; } t = {{1}, {1}}; if (size < 5) read(0, t.a, size);",
}


def checks(folder: Path, body: str, properties: tuple[str, ...]) -> set[bool]:
    """Whether the checks of a program hold, as far as an analysis finds out."""
    path = folder / "a.c"
    path.write_text(f"{START} {body} return 0; }}\n", encoding="utf-8")
    options = FrontendOptions(properties=properties)
    program = lower(parse(preprocess(str(path), options).text, str(path), options), options).program
    return {status.is_safe for status in analyse(program, AnalysisOptions()).statuses}


@pytest.mark.parametrize("name", TRUE)
def test_the_rest_of_the_structure_is_what_it_was(tmp_path: Path, name: str) -> None:
    assert checks(tmp_path, TRUE[name], ("assertion", "array-bounds")) == {True}


@pytest.mark.parametrize("name", FALSE)
def test_what_is_written_counts(tmp_path: Path, name: str) -> None:
    assert False in checks(tmp_path, FALSE[name], ("assertion", "array-bounds"))


@pytest.mark.parametrize("name", ["a member beside it", "of the heap"])
def test_nothing_is_known_without_the_check(tmp_path: Path, name: str) -> None:
    assert checks(tmp_path, TRUE[name], ("assertion",)) == {False}


def test_what_may_go_on_behind_a_structure_is_no_array_of_its_own(tmp_path: Path) -> None:
    body = "struct s *r = malloc(sizeof *r + 8); if (!r) return 1; if (size <= 8) read(0, r->rest, size);"
    assert checks(tmp_path, body, ("array-bounds",)) == {True}
