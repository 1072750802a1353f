"""A pointer that is moved stays in the array that it was made from, as far as types say where that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, FrontendOptions
from duet.reading import read

START = """
typedef unsigned long size_t;
void *malloc(size_t), *calloc(size_t, size_t);
void assert(int);
struct s { char a[4]; char b[2]; int c; long d[2]; } s, many[3];
struct t { int n; struct s in[2]; int *end; } t;
static char bytes[96], more[96]; static struct t *seen(void *p) { return p; }
int main(int count, char **arguments) {
  struct s *h = calloc(1, sizeof *h); struct t *u = calloc(1, sizeof *u); if (!h || !u || count < 1) return 1;
"""
TRUE = {
    "to its end": "char *p = s.a; for (int i = 0; i < 4; i++) *p++ = 7; assert(s.c == 0);",
    "of the heap": "char *p = h->a; for (int i = 0; i < 4; i++) *p++ = 7; assert(h->c == 0);",
    "of others": "long *p = s.d; for (int i = 0; i < 2; i++) *p++ = 7; assert(s.c == 0);",
    "of structures": "struct s *p = t.in; for (int i = 0; i < 2; i++, p++) p->c = 7; assert(t.n == 0 && !t.end);",
    "all of it as bytes": "char *p = (char *)&s; for (int i = 0; i < sizeof s; i++) *p++ = 0; assert(count);",
    "by an index": "char *p = s.a; if (count < 4) p[count] = 1; assert(s.c == 0);",
}
FALSE = {
    "behind it": "char *p = s.a; for (int i = 0; i < 7; i++) *p++ = 7; assert(s.c == 0);",
    "behind it by an index": "char *p = s.a; if (count < 9) p[count] = 1; assert(s.c == 0);",
    "in front of it": "long *p = s.d; p -= count; *p = 7; assert(s.c == 0);",
    "of the heap": "char *p = h->a; for (int i = 0; i < 9; i++) *p++ = 7; assert(h->c == 0);",
    "of others": "long *p = s.d; for (int i = 0; i < 4; i++) *p-- = 7; assert(s.c == 0);",
    "of structures": "struct s *p = t.in; for (int i = 0; i < 3; i++, p++) p->a[0] = 1; assert(!t.end);",
    "of structures of the heap": "struct s *p = u->in; for (int i = 0; i < 3; i++) (p++)->a[0] = 1; assert(!u->end);",
    "in one of several": "char *p = many[1].a; for (int i = 0; i < 9; i++) *p++ = 7; assert(many[1].c == 0);",
    "one of several, further": "char *p = many[0].a; for (int i = 0; i < 80; i++) *p++ = 7; assert(many[2].c == 0);",
    "in one of those in it": "char *p = t.in[0].b; for (int i = 0; i < 4; i++) *p++ = 7; assert(t.in[0].c == 0);",
    "all as bytes": "char *p = (char *)&s; for (int i = 0; i < sizeof s; i++) *p++ = 7; assert(s.c == 0);",
    "all as bytes, from inside": "char *p = (char *)&s.c; for (int i = 0; i < 4; i++) *p++ = 7; assert(s.c == 0);",
}

SEEN = {
    "bytes of a variable": "char own[96]; struct t *p = (void *)own; long *q = p->in[1].d; q++; *q = 5; assert(0);",
    "given": "struct t *p = seen(bytes + 8); struct s *q = p->in + 2; (--q)->c = 1; assert(0);",
    "of another structure": "struct t *p = (void *)many; int *q = &p->in[1].c; q += count - 1; *q = 1; assert(0);",
    "of the heap": "char *p = malloc(96); if (p) { p[0] = 1; long *q = seen(p)->in[0].d; q[1] = 1; assert(0); }",
    "of several": "char *p = count > 1 ? bytes : more; long *q = seen(p)->in[0].d; q[1] = 1; assert(0);",
    "by an index": "int *q = &seen(bytes)->n; if (count < 3) q[count] = 1; assert(0);",
}


def checks(folder: Path, body: str) -> set[bool]:
    """Whether the checks of a program hold, as far as an analysis finds out."""
    path = folder / "a.c"
    path.write_text(f"{START} {body} return 0; }}\n", encoding="utf-8")
    options = FrontendOptions(properties=("assertion", "array-bounds"))
    program = lower(parse(preprocess(str(path), options).text, str(path), options), options).program
    return {status.is_safe for status in analyse(program, AnalysisOptions()).statuses}


@pytest.mark.parametrize("name", TRUE)
def test_what_stays_in_it(name: str, tmp_path: Path) -> None:
    """Nothing beside it changes."""
    assert checks(tmp_path, TRUE[name]) == {True}


@pytest.mark.parametrize("name", FALSE)
def test_what_leaves_it(name: str, tmp_path: Path) -> None:
    """A check that nothing else is accessed fails, or what is accessed may change."""
    assert False in checks(tmp_path, FALSE[name])


@pytest.mark.parametrize("name", SEEN)
def test_what_is_seen_as_another_type_has_parts_of_that(name: str, tmp_path: Path) -> None:
    """What comes behind an access to such a part is reached."""
    path = tmp_path / "a.c"
    path.write_text(f"{START} {SEEN[name]} return 0; }}\n", encoding="utf-8")
    found = read((str(path),), FrontendOptions(properties=("assertion", "array-bounds")), Clock())
    analysis = analyse(found.program, AnalysisOptions())
    decided = {item.check.expression: item.status for item in assertions(analysis, found.checks)}
    assert not decided["0"].is_safe
