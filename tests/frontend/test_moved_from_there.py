"""Where a pointer leads that was followed there is memory: what is moved from there by little is not null."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.frontend.graph import insides
from duet.options import AnalysisOptions, FrontendOptions
from duet.reading import read

START = """#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int any(void), at; char *lib(void), *shared; jmp_buf back;
struct s { char first, far[9000], last; struct s *next; }; struct none { };
struct s *things(void); long number(void);
void *other(void *arg) { char *p = lib(); if (p) shared = p + any(); return 0; }
void leave(char *p) { if (any()) longjmp(back, 1); *p = 1; }
char *same(char *p) { return p; }
int main(void) {
  pthread_t n; int i = any(); char *p = lib(), *o = lib();
  struct s *t = things(); struct none *z = (struct none *)lib();
  if (!p || !o || !t || !z) return 0;
  p += any(); t += any(); z = (struct none *)((char *)z + any());
  if (!p || !t || !z) return 0;
"""
TRUE = {
    "written": "*p++ = 1; *p++ = 2; *p = 3;",
    "read": "i = *p++; i += *p; i += *++p;",
    "on all ways": "*p++ = 1; if (i) *p++ = 2; *p = 3;",
    "in a loop": "*p++ = 1; for (; i > 0; i--) { *p++ = i; if (any()) *p++ = 2; } *p = 0;",
    "printed to": 'p += sprintf(p, "%d", i); p += sprintf(p, "%s", "a"); *p = 1;',
    "printed to with a size": 'p += snprintf(p, 8, "%d", i); *p = 1;',
    "as a string": "p += strlen(p); *p = 1;",
    "back by one": "*p = 1; p--; *p = 2;",
    "a structure": "t->first = 1; t++; t->first = 2;",
    "given to a function": "*p = 1; *same(p + 1) = 2;",
    "a number": 'p = (char *)number(); if (p) { *p = 1; p++; p += sprintf(p, "%d", i); *p = 2; p--; *p = 3; }',
}
FAILING = {
    "not followed": "p++; *p = 1;",
    "moved to": "p += 5; *p = 1; p -= 5000; *p = 2;",
    "followed on one way": "if (i) *p = 1; p++; *p = 2;",
    "its address": "char *q = &*p; q++; *q = 1;",
    "its size": "i = sizeof *p; p++; *p = 1;",
    "moved back far": "*p = 1; p -= 4096; *p = 1;",
    "moved by any number": "*p = 1; p += any(); *p = 2;",
    "moved back in a loop": "*p = 1; while (any()) p--; *p = 2;",
    "another one": "*o = 1; p++; *p = 1;",
    "another one since": "*p = 1; p = o + any(); if (p) { p++; *p = 1; }",
    "a byte far behind": "p[8000] = 1; p += 3; *p = 1;",
    "a byte somewhere behind": "p[any()] = 1; p++; *p = 1;",
    "a member far behind": "t->last = 1; p = (char *)t + 3; *p = 1;",
    "an element of a member": "t->far[any()] = 1; p = (char *)t + 3; *p = 1;",
    "no bytes": "memcpy(p, &i, 0); p++; *p = 1;",
    "any bytes": "memcpy(p, &at, any()); p++; *p = 1;",
    "no structure": "struct none n = *z; *z = n; p = (char *)z + 1; *p = 1;",
    "no characters": 'at = strncmp(p, "a", 0); p++; *p = 1;',
    "no room": 'snprintf(p, 0, "a"); p++; *p = 1;',
    "any room": 'snprintf(p, any(), "a"); p++; *p = 1;',
    "what was printed, and less": '*p = 1; p += sprintf(p, "a") - 5000; *p = 1;',
    "what two calls printed": 'i = sprintf(p, "a"); p = o + any(); if (p) { p += i; *p = 1; }',
    "not by a call that is left": "if (!setjmp(back)) leave(p); p++; *p = 1;",
    "by a condition": "if (i && *p) at = 1; p++; *p = 1;",
    "what it leads to": "t = t->next; if (t) { t += any(); if (t) { t++; t->first = 1; } }",
    "as another thread has it": "pthread_create(&n, 0, other, 0); p = shared; if (p) *p = 1;"
    " p = shared; if (p) { p++; *p = 1; }",
    "after another thread": "shared = p; pthread_create(&n, 0, other, 0); *p = 1; p = shared; if (p) { p++; *p = 1; }",
    "freed only": "free(p); p++; *p = 1;",
    "compared only": "if (p == lib()) { p++; *p = 1; }",
    "a number, not followed": "p = (char *)number(); if (p) { p++; *p = 1; }",
    "a number, moved back far": "p = (char *)number(); if (p) { *p = 1; p -= 4096; *p = 1; }",
    "a number, moved by any": "p = (char *)number(); if (p) { *p = 1; p += number(); *p = 1; }",
    "a number, moved by itself": "long m = number(); p = (char *)m; if (p) { *p = 1; p -= m; *p = 1; }",
    "a byte far behind a number": "p = (char *)number(); if (p) { p[8000] = 1; p += 3; *p = 1; }",
    "a number, and what another one was printed to": "char *q = (char *)number(); p = (char *)number();"
    ' if (p && q) { at = sprintf(q, "a"); p += at; *p = 1; }',
    "by number": "long n = (long)p; *p = 1; p -= n; *p = 1;",
}


def are_not_null(source: Path, body: str) -> bool:
    """Whether no pointer is null that is followed in a program with some body of `main`, as far as that is found."""
    source.write_text(f"{START} {body} return i; }}\n", encoding="utf-8")
    found = read((str(source),), FrontendOptions(properties=("null-dereference", "array-bounds")), Clock())
    checks = assertions(analyse(found.program, AnalysisOptions(domain="interval")), found.checks)
    decided = [check.status for check in checks if check.check.property_name == "null-dereference"]
    assert decided
    return all(status.is_safe for status in decided)


@pytest.mark.parametrize("name", TRUE)
def test_what_is_moved_from_where_something_is_is_not_null(tmp_path: Path, name: str) -> None:
    assert are_not_null(tmp_path / "a.c", TRUE[name])


@pytest.mark.parametrize("name", FAILING)
def test_what_is_not_known_to_be_there_may_be_null_where_it_is_moved_to(tmp_path: Path, name: str) -> None:
    assert not are_not_null(tmp_path / "a.c", FAILING[name])


@pytest.mark.parametrize("name", ["written", "printed to", "a structure", "back by one"])
def test_it_is_noticed_when_nothing_is_known_of_where_objects_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(insides, "is_there", lambda *_: False)
    assert not are_not_null(tmp_path / "a.c", TRUE[name])
