"""Differences of pointers of which one is a copy of the other, moved: nobody learns from them where a local is.

The failing twins are differences of pointers that may lead into different objects.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.errors import SourceError
from duet.frontend.lower import formed
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.reading import read

START = """
typedef unsigned long size_t; typedef __builtin_va_list va_list;
extern int any(void); char *strsep(char **, const char *); static char *kept; static void set(char **p) { *p = kept; }
"""
OF_ONE_OBJECT = {
    "a copy of a parameter": "char *s = p; while (*p) p++; return p - s;",
    "a copy of a copy": "char *s = p, *t; t = s + 1; s += 3; return t - s;",
    "the parameter itself": "return (p + 2) - p;",
    "a copy that steps": "char *s = p; while (*s++) { } return s - p - 1;",
    "a cast": "const unsigned char *s = (const unsigned char *)p; s++; return (char *)s - p;",
    "an assignment as a value": "char *s, *t = s = p; p--; return s - (t = p);",
    "a copy in a block": "for (;;) { char *s = p; p += 2; if (any()) return p - s; }",
}
OF_SEVERAL = {
    "another parameter": "return p - q;",
    "a copy of another one": "char *s = q; return p - s;",
    "a parameter that is set": "char *s = p; p = q; return p - s;",
    "a copy that is set": "char *s = p; if (any()) s = q; return p - s;",
    "a copy of what is in memory": "char *s = kept; return p - s;",
    "a result": "char *s = strsep(&q, p); return p - s;",
    "what a function may set": "char *s = p; set(&s); return p - s;",
    "what a library function sets": "char *s = p; strsep(&s, q); return p - s;",
    "a list of arguments": "char *s = p; va_list l; s = __builtin_va_arg(l, char *); return p - s;",
    "null": "char *s = 0; return p - s;",
    "an assembler": 'char *s = p; __asm__("" : "=r"(s)); return p - s;',
    "one that is not a local": "static char *s; s = p; return p - s;",
}


def has_moved(text: str, path: Path) -> bool:
    """Whether a difference in a function is one of pointers of which one is the other one, moved."""
    path.write_text(f"{START}long f(char *p, char *q) {{ {text} }}\n", encoding="utf-8")
    options = FrontendOptions()
    found = formed(parse(preprocess(str(path), options).text, str(path), options), options)["f"]
    return not isinstance(found, SourceError) and bool(found.moved)


@pytest.mark.parametrize("name", OF_ONE_OBJECT)
def test_into_one_object(name: str, tmp_path: Path) -> None:
    assert has_moved(OF_ONE_OBJECT[name], tmp_path / "a.c")


@pytest.mark.parametrize("name", OF_SEVERAL)
def test_maybe_into_several_objects(name: str, tmp_path: Path) -> None:
    assert not has_moved(OF_SEVERAL[name], tmp_path / "a.c")


PROGRAM = """
#include <assert.h>
#include <pthread.h>
extern long number;
extern char text[8];
static long told;
static long length(const char *p, const char *q) { const char *s = p; while (*p) p++; return DISTANCE; }
static void *other(void *unused) { text[told] = 1; *(char *)number = 2; return unused; }
int main(void) {
  char own[4] = "abc";
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  told = length(own, text);
  told = length(text, own);
  assert(own[0] == 97);
  return 0;
}
"""


@pytest.mark.parametrize(("distance", "is_proved"), [("p - s", True), ("p - q", False)])
def test_what_others_may_learn_of_a_local(distance: str, is_proved: bool, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(PROGRAM.replace("DISTANCE", distance), encoding="utf-8")
    budgets = Budgets(inlined_commands=-1, small_commands=-1)
    options = FrontendOptions(properties=("assertion",), budgets=budgets, system_headers=True)
    found = read((str(tmp_path / "a.c"),), options, Clock())
    decided = assertions(analyse(found.program, AnalysisOptions(domain="interval")), found.checks)
    assert {one.status.is_safe for one in decided} == {is_proved}
