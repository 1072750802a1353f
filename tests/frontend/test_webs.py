"""Pointers that are used for one thing after another: each use by itself, but where definitions reach a common one."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.options import AnalysisOptions, FrontendOptions
from duet.reading import read
from tests.frontend import bodies

START = """#include <setjmp.h>
void *malloc(unsigned long); int atoi(const char *); int any(void); void assert(int);
static int a = 1, b = 2, c = 3, d = 4, v[3] = {1, 2, 3};
struct pair { int x, y; };
static struct pair pair = {5, 6};
static int *step(int *q) { return q == &a ? &b : 0; }
static int sum(int *x, int *y) { return *x + *y; }
static jmp_buf env;
"""
FAILING = {
    "a jump back": "int *p = &a, k = 0; again: if (*p == 2) { assert(k == 0); p = &d; return *p; } p = &b; k++;"
    " goto again;",
    "a jump out": "int *p = &a; if (n) { p = &b; goto out; } p = &c; out: assert(*p == 3); p = &d; return *p;",
    "into a case": "int *p = &a; switch (n) { case 1: p = &b; case 2: assert(*p == 1); p = &c; break;"
    " default: p = &d; }",
    "past all cases": "int *p = &a; switch (n) { case 5: p = &b; break; } assert(*p != 1); p = &d; return *p;",
    "into a loop": "int *p = &a, k = 2; switch (n) { case 0: do { p = &b; case 1: assert(*p == 2); } while (--k); }"
    " p = &c;",
    "continue": "int *p = &a, k = 0; do { k++; if (k == 1) { p = &b; continue; } p = &c; } while (*p == 2 && k < 1);"
    " assert(*p == 3); p = &d; return *p;",
    "a step": "int *p, s = 0; for (p = &a; s < 2; p = &b) { assert(*p == 1); s++; } p = &c; return *p + s;",
    "a break of the inner loop": "int *p = &a; for (int i = 0; i < 2; i++) { for (;;) { if (!i) { p = &b; break; }"
    " goto done; } } p = &c; done: assert(*p != 2); p = &d; return *p;",
    "a condition": "int *p = &a; while ((p = step(p))) { assert(*p == 1); } p = &c; return *p;",
    "the second of two": "int *p = &a; if (n - 1 && (p = &b)) p = &c; assert(*p != 1); p = &d; return *p;",
    "the second, taken": "int *p = &a; if (n && (p = &b) && *p == 2) assert(0); p = &d; return *p;",
    "a choice": "int *p = &a; int x = n ? *(p = &b) : 0; assert(*p == 1); p = &c; return *p + x;",
    "what is there, or": "int *p = 0; int *q = p ?: (p = &b); assert(p == 0); p = &c; return *p + *q;",
    "one after the other": "int *p = &a; int x = (p = &b, *p); assert(x == 1); p = &c; return *p + x;",
    "statements": "int *p = &a; int x = ({ p = &b; if (n) p = &c; *p; }); assert(x == 2); p = &d; return *p;",
    "moved": "int *p = v; p += 1; p++; assert(*p == 1); p = &a; p += 0; return *p;",
    "a round later": "int *p = 0, *q = &a; for (int i = 0; i < 2; i++) { if (p) assert(*p == 2); p = q; q = &b; }"
    " p = &c;",
    "arguments": "int *p = &a; int r = sum((p = &b), &c); assert(r == 4 || *p == 1); p = &d; return *p;",
    "an index": "int *p = v; v[(p = &b, 1)] = 2; assert(*p != 2); p = &c; return *p;",
    "exchanged": "int *p = &a, *q = &b, *t; t = p; p = q; q = t; assert(*p == 1); t = p; p = q; q = t; t = &c;"
    " return *t;",
    "returned twice": "int *p = &a; if (setjmp(env)) { assert(*p != 2); return 0; } p = &b; if (n) longjmp(env, 1);",
    "a computed jump": "int *p = &a; void *t = &&out; if (n) { p = &b; goto *t; } p = &c; out: assert(*p == 3);"
    " p = &d;",
    "a size only": "int *p = malloc(sizeof *p); if (!p) return 0; *p = 7; assert(*p == 8); p = &a;"
    " p = n ? p : (p = &b);",
    "its address": "int *p = &a, **q = &p; *q = &b; assert(*p == 1); p = &c; return *p;",
}
HOLDING = {
    "another object": "struct pair *p = malloc(sizeof *p); if (!p) return 1; p->x = 5; p = &pair; assert(p->y == 6);",
    "two loops": "int *p, s = 0; for (p = &a; p; p = 0) s += *p; for (p = &b; p; p = 0) assert(*p == 2); return s;",
    "another branch": "int *p = &a; if (n) { assert(*p == 1); p = &b; } else { p = &c; assert(*p == 3); }"
    " p = &d; return *p;",
}


STOPPING = "void abort(void); void assert(int holds) { if (!holds) abort(); }\n"


def _functions(cases: dict[str, str]) -> str:
    """The functions of some cases, one a line."""
    return "\n".join(f"int f{at}(int n) {{ {body} return n; }}" for at, body in enumerate(cases.values()))


def _decided(folder: Path, start: str, cases: dict[str, str]) -> dict[str, bool]:
    """Whether all checks of each case are proved."""
    calls = " ".join(f"case {at}: return f{at}(1);" for at in range(len(cases)))
    source = folder / "a.c"
    text = f"{start}{_functions(cases)}\nint main(void) {{ switch (any()) {{ {calls} }} return 0; }}\n"
    source.write_text(text, encoding="utf-8")
    found = read((str(source),), FrontendOptions(), Clock())
    results = assertions(analyse(found.program, AnalysisOptions(domain="interval")), found.checks)
    first = start.count("\n") + 1
    open_ = {item.check.line for item in results if not item.status.is_safe}
    return {name: first + at not in open_ for at, name in enumerate(cases)}


def test_what_fails_stays_open(tmp_path: Path) -> None:
    """No check is proved that fails where definitions of several uses meet."""
    assert [name for name, is_proved in _decided(tmp_path, START, FAILING).items() if is_proved] == []


def test_the_failures_are_real(tmp_path: Path) -> None:
    """Each of these functions fails when it is called."""
    calls = {name: f"return f{at}(1);" for at, name in enumerate(FAILING)}
    program = bodies.compiled(START + STOPPING + _functions(FAILING), calls, tmp_path)
    if program is None:
        pytest.skip("there is no compiler with sanitizers")
    assert [name for at, name in enumerate(FAILING) if not bodies.fails(program, at)] == []


def test_each_use_is_told_apart(tmp_path: Path) -> None:
    """What one use leads to is not mixed with what another one does."""
    given = "static int g(int *p, int n) { int s = *p; p = &b; assert(*p == 2); return s + n; }\n"
    found = _decided(tmp_path, START + given, {**HOLDING, "a parameter": "assert(g(&a, n) == 1 + n);"})
    assert [name for name, is_proved in found.items() if not is_proved] == []
