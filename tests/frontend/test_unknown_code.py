"""What code of files that are not there may do: to what it was given, to what it may name, and with functions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from duet.frontend.cells import access, callees, hidden
from duet.frontend.cells.escapes import escape
from duet.frontend.cells.foreign import KEPT
from duet.frontend.cells.targets import outside
from duet.frontend.expressions import places
from duet.frontend.judgments.pointers import Pointers
from duet.frontend.lower import lower
from duet.frontend.models import unknown
from duet.frontend.models.unknown import ONLY_ARGUMENTS, OWN_ARGUMENTS
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import FrontendOptions
from tests.frontend.running import fails, statuses

START = (
    "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
    "int x, y; void f(void) { x = 1; } struct ops { void (*run)(void); void *own; };\n"
    "void later(void); void know(int *p); void take(struct ops *o);\n"
    "int *give(void); void use(void *p);\n"
)
SAME = "extern int x; extern void f(void); struct ops { void (*run)(void); void *own; };\n"
FALSE = {
    "an object that it returns": (
        "int main(void) { int *p = give(); x = 0; *p = 1; assert(x == 0); }",
        "int *give(void) { return &x; }",
    ),
    "an element that it returns": (
        "int a[3]; int main(void) { int *p = give(); a[1] = 0; *p = 1; assert(a[1] == 0); }",
        "extern int a[3]; int *give(void) { return a + 1; }",
    ),
    "an object that it returns as a number": (
        "long number(void); int main(void) { int *p = (int *)number(); x = 0; *p = 1; assert(x == 0); }",
        "long number(void) { return (long)&x; }",
    ),
    "an object that it returns in a structure": (
        "struct S { int n; int *p; } make(void); int main(void) { struct S s = make(); x = 0; *s.p = 1;\n"
        "assert(x == 0); }",
        "struct S { int n; int *p; } make(void) { struct S s = {1, &x}; return s; }",
    ),
    "an object to which it lets a pointer lead": (
        "void fill(int **p); int main(void) { int *p = &y; fill(&p); x = 0; *p = 1; assert(x == 0); }",
        "void fill(int **p) { *p = &x; }",
    ),
    "an object that it gives to a callback": (
        "void each(void (*g)(int *)); void g(int *p) { *p = 1; } int main(void) { x = 0; each(g); assert(x == 0); }",
        "void each(void (*g)(int *)) { g(&x); }",
    ),
    "an object that it gives to a callback later": (
        "void keep(void (*g)(int *)); void g(int *p) { *p = 1; }\n"
        "int main(void) { keep(g); x = 0; later(); assert(x == 0); }",
        "void (*kept)(int *); void keep(void (*g)(int *)) { kept = g; } void later(void) { kept(&x); }",
    ),
    "an object to which its variable leads": (
        "extern int *where; int main(void) { x = 0; *where = 1; assert(x == 0); }",
        "int *where = &x;",
    ),
    "an object to which its variable leads, declared inside": (
        "int main(void) { extern int *where; x = 0; *where = 1; assert(x == 0); }",
        "int *where = &x;",
    ),
    "an object that it finds in another one": (
        "static int s; struct ops o = {0, &s}; int main(void) { int *p = give(); s = 0; *p = 1; assert(s == 0); }",
        "extern struct ops o; int *give(void) { return o.own; }",
    ),
    "an object that it finds in a union": (
        "static int s; union { long n; int *p; } u; int main(void) { u.p = &s; int *p = give(); s = 0; *p = 1;\n"
        "assert(s == 0); }",
        "extern union { long n; int *p; } u; int *give(void) { return u.p; }",
    ),
    "an object in a union that it is given": (
        "void open(void *); union { long n; int *p; } u; int main(void) { u.p = &x; x = 0; use(&u); assert(x == 0); }",
        "void use(void *p) { **(int **)p = 1; }",
    ),
    "a thread-local object": (
        "_Thread_local int z; int main(void) { int *p = give(); z = 0; *p = 1; assert(z == 0); }",
        "extern _Thread_local int z; int *give(void) { return &z; }",
    ),
    "a function that it returns": (
        "void (*find(void))(void); int main(void) { void (*g)(void) = find(); x = 0; g(); assert(x == 0); }",
        "void (*find(void))(void) { return f; }",
    ),
    "a function of its own that it returns": (
        "void (*find(void))(int *); int main(void) { void (*g)(int *) = find(); x = 0; g(&x); assert(x == 0); }",
        "static void set(int *p) { *p = 1; } void (*find(void))(int *) { return set; }",
    ),
    "what it is given back": (
        "int main(void) { int *p = give(); x = 0; use(p); assert(x == 0); }",
        "int *give(void) { return &x; } void use(void *p) { *(int *)p = 1; }",
    ),
    "what it was given before": (
        "int main(void) { know(&x); x = 0; later(); assert(x == 0); }",
        "static int *p; void know(int *q) { p = q; } void later(void) { *p = 1; }",
    ),
    "what it was given before, in a thread": (
        "void *t(void *u) { later(); return 0; } int main(void) { pthread_t i; know(&x); pthread_create(&i, 0, t, 0);\n"
        "x = 0; pthread_join(i, 0); assert(x == 0); }",
        "#include <unistd.h>\nstatic int *p; void know(int *q) { p = q; } void later(void) { usleep(50000); *p = 1; }",
    ),
    "a local object that it was given before": (
        "int main(void) { int l; know(&l); l = 0; later(); assert(l == 0); }",
        "static int *p; void know(int *q) { p = q; } void later(void) { *p = 1; }",
    ),
    "functions in its variable": (
        "extern void (*hook)(void); int main(void) { hook = f; x = 0; later(); assert(x == 0); }",
        "void (*hook)(void); void later(void) { hook(); }",
    ),
    "functions beside a pointer that is not known": (
        "int main(void) { struct ops o = {f, give()}; take(&o); x = 0; later(); assert(x == 0); }",
        "int *give(void) { return 0; } static struct ops *o; void take(struct ops *p) { o = p; }\n"
        "void later(void) { o->run(); }",
    ),
    "functions beside a pointer that is a number": (
        "int main(int n, char **v) { struct ops o = {f, (void *)(long)n}; take(&o); x = 0; usleep(100000);\n"
        "assert(x == 0); }",
        "#include <pthread.h>\n#include <unistd.h>\n"
        "static void *t(void *p) { usleep(20000); ((struct ops *)p)->run(); }\n"
        "void take(struct ops *p) { pthread_t i; pthread_create(&i, 0, t, p); }",
    ),
    "functions that are put there later": (
        "struct ops o; int main(void) { take(&o); o.own = give(); o.run = f; x = 0; usleep(100000); assert(x == 0); }",
        "#include <pthread.h>\n#include <unistd.h>\nint *give(void) { return 0; }\n"
        "static void *t(void *p) { usleep(20000); ((struct ops *)p)->run(); }\n"
        "void take(struct ops *p) { pthread_t i; pthread_create(&i, 0, t, p); }",
    ),
    "an unknown function that it calls later": (
        "extern void set(int *); void keep(void (*g)(int *), int *p);\n"
        "int main(void) { keep(set, &x); x = 0; usleep(100000); assert(x == 0); }",
        "#include <pthread.h>\n#include <unistd.h>\nstatic void (*h)(int *); void set(int *p) { *p = 1; }\n"
        "static void *t(void *p) { usleep(20000); h(p); } void keep(void (*g)(int *), int *p) { pthread_t i; h = g;\n"
        "pthread_create(&i, 0, t, p); }",
    ),
}
NAMED = {
    "an object": (
        "int main(void) { x = 0; later(); assert(x == 0); }",
        "void later(void) { x = 1; }",
    ),
    "a function": (
        "static int s; void set(void) { s = 1; } int main(void) { later(); assert(s == 0); }",
        "extern void set(void); void later(void) { set(); }",
    ),
    "an object at any time": (
        "int main(void) { later(); x = 0; usleep(100000); assert(x == 0); }",
        "#include <pthread.h>\n#include <unistd.h>\nstatic void *t(void *p) { usleep(20000); x = 1; }\n"
        "void later(void) { pthread_t i; pthread_create(&i, 0, t, 0); }",
    ),
    "a function at any time": (
        "static int s; void set(void) { s = 1; } int main(void) { later(); s = 0; usleep(100000); assert(s == 0); }",
        "#include <pthread.h>\n#include <unistd.h>\nextern void set(void);\n"
        "static void *t(void *p) { usleep(20000); set(); }\n"
        "void later(void) { pthread_t i; pthread_create(&i, 0, t, 0); }",
    ),
    "an object behind a pointer": (
        "static int s; int *p = &s; int main(void) { s = 0; later(); assert(s == 0); }",
        "extern int *p; void later(void) { *p = 1; }",
    ),
    "an object from a callback": (
        "extern void set(void *); int main(void) { x = 0; pthread_cleanup_push(set, 0); pthread_cleanup_pop(1);\n"
        "assert(x == 0); }",
        "void set(void *p) { x = 1; }",
    ),
}
TRUE = {
    "an object with internal linkage": (
        "static int s; int main(void) { int *p = give(); s = 0; if (p) *p = 1; assert(s == 0); }"
    ),
    "a local object": "int main(void) { int l = 0, *q = &l, *p = give(); if (p) *p = 1; assert(l == 0 && q); }",
    "what is not given back": "static int s; int main(void) { int *p = give(); use(p); assert(s == 0); }",
    "what it was not given": "int main(void) { know(&y); x = 0; later(); assert(x == 0); }",
    "functions that it was not given": (
        "static int s; static void g(void) { s = 1; } void (*mine)(void) = g; static void (*hidden)(void) = g;\n"
        "int main(void) { s = 0; know(&y); later(); assert(s == 0); if (hidden) hidden(); }"
    ),
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "a.c"


@pytest.mark.parametrize("name", FALSE)
def test_what_it_may_do_is_done(name: str, source: Path) -> None:
    text, other = FALSE[name]
    assert not any(status.is_safe for status in statuses(source, f"{START}{text}\n"))
    assert fails(source, f"{SAME}{other}\n")


@pytest.mark.parametrize("name", NAMED)
def test_what_it_may_name_changes_where_that_is_asked_for(name: str, source: Path) -> None:
    text, other = NAMED[name]
    options = FrontendOptions(unknown_functions="externals")
    assert all(status.is_safe for status in statuses(source, f"{START}{text}\n"))
    assert not any(status.is_safe for status in statuses(source, f"{START}{text}\n", options))
    assert fails(source, f"{SAME}{other}\n")


@pytest.mark.parametrize("name", TRUE)
def test_what_it_cannot_do_is_not_done(name: str, source: Path) -> None:
    assert all(status.is_safe for status in statuses(source, f"{START}{TRUE[name]}\n"))


@pytest.mark.parametrize(
    "text",
    [
        "static int s; int main(void) { later(); assert(s == 0); }",
        "int main(void) { assert(x == 0); later(); }",
        "int main(void) { int l = 0; later(); assert(l == 0); }",
    ],
)
def test_what_it_cannot_name_stays(text: str, source: Path) -> None:
    options = FrontendOptions(unknown_functions="externals")
    assert all(status.is_safe for status in statuses(source, f"{START}{text}\n", options))


@pytest.mark.parametrize(("mode", "is_assumed"), [("arguments", True), ("externals", False)])
def test_what_is_assumed_is_told(mode: str, is_assumed: bool, source: Path) -> None:
    assert (ONLY_ARGUMENTS in _assumptions(source, "later();", mode)) == is_assumed
    assert ONLY_ARGUMENTS not in _assumptions(source, "", mode)


def test_what_is_assumed_of_libraries_is_told(tmp_path: Path) -> None:
    header = tmp_path / "usr" / "include" / "events.h"
    header.parent.mkdir(parents=True)
    header.write_text("extern void poll_into(int *), turn(void);\n", encoding="utf-8")
    source, options = tmp_path / "a.c", FrontendOptions(include_dirs=(str(header.parent),))
    source.write_text("#include <events.h>\nint main(void) { int out; poll_into(&out); turn(); }\n", encoding="utf-8")
    found = lower(parse(preprocess(str(source), options).text, str(source), options), options).assumptions
    assert OWN_ARGUMENTS in found
    assert ONLY_ARGUMENTS not in found


def _assumptions(source: Path, text: str, mode: str) -> tuple[str, ...]:
    options = FrontendOptions(unknown_functions=mode)
    source.write_text(f"{START}int main(void) {{ {text} }}\n", encoding="utf-8")
    return lower(parse(preprocess(str(source), options).text, str(source), options), options).assumptions


def _keeps_nothing(patch: pytest.MonkeyPatch) -> None:
    hold, kept = Pointers.hold, (KEPT, hidden._COPIED)  # it may have put it into what it was given, too
    patch.setattr(Pointers, "hold", lambda self, cell, *rest: None if cell in kept else hold(self, cell, *rest))


DEFECTS: dict[str, tuple[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "what has external linkage is not known": (
        "an object that it returns",
        lambda patch: patch.setattr(unknown, "known_outside", outside),
    ),
    "functions with external linkage are not known": (
        "a function that it returns",
        lambda patch: patch.setattr(callees, "external_functions", lambda _: []),
    ),
    "variables are not those of other files": (
        "an object to which its variable leads",
        lambda patch: patch.setattr(places, "note_foreign", lambda _: None),
    ),
    "what it was given is forgotten": ("what it was given before", _keeps_nothing),
    "what it was given runs during the call only": (
        "functions beside a pointer that is a number",
        lambda patch: patch.setattr(unknown, "run_any_time", lambda *_: None),
    ),
    "what is in a union is not found": (
        "an object in a union that it is given",
        lambda patch: patch.setattr(access, "note_untracked", escape),
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_noticed(name: str, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case, seed = DEFECTS[name]
    seed(monkeypatch)
    assert all(status.is_safe for status in statuses(source, f"{START}{FALSE[case][0]}\n"))
