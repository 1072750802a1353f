"""What the variable arguments of functions of the program lead to: only what was passed, whoever reads the list."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.ctypes.origins import Origins, Passed
from duet.frontend.judgments.pointers import Pointers
from duet.options import FrontendOptions
from duet.result import Status
from tests.frontend.running import are_proved, statuses

START = """#include <assert.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
int x = 1, y = 2, *known = &x, *other = &y;
void tell(const char *format, ...) { va_list l; va_start(l, format); vprintf(format, l); va_end(l); }
int scan(const char *text, const char *format, ...)
{ va_list l; int n; va_start(l, format); n = vsscanf(text, format, l); va_end(l); return n; }
int through(const char *text, const char *format, ...)
{ va_list l, copy; int n; va_start(l, format); va_copy(copy, l); n = vsscanf(text, format, copy); va_end(copy);
  va_end(l); return n; }
int scan_list(const char *text, const char *format, va_list l) { return vsscanf(text, format, l); }
int by_list(const char *text, const char *format, ...)
{ va_list l; int n; va_start(l, format); n = scan_list(text, format, l); va_end(l); return n; }
va_list kept;
int later(const char *text, const char *format, ...)
{ va_list l; va_start(l, format); va_copy(kept, l); return vsscanf(text, format, kept); }
struct lists { va_list first, second; };
int in_memory(const char *text, const char *format, ...)
{ struct lists *m = malloc(sizeof *m); if (!m) return 0; va_start(m->first, format); va_copy(m->second, m->first);
  return vsscanf(text, format, m->second); }
int again(int n, const char *format, ...)
{ va_list l; if (n) return again(n - 1, format, &y); va_start(l, format); n = vsscanf("5", format, l); return n; }
int first_again(int n, const char *format, ...)
{ va_list l; va_start(l, format); if (n) first_again(n - 1, format, &x); n = vsscanf("5", format, l); return n; }
struct pair { int n; int *p; };
void change(struct passwd *entry) { if (entry) entry->pw_uid = 5; }
"""
TRUE = {
    "a list for the library leads to nothing that was not passed": (
        'int main(void) { tell("%s", "a"); change(getpwnam("a")); assert(x == 1); }'
    ),
    "nor does one that is copied": 'int main(void) { through("5", "%d", &y); assert(x == 1); }',
    "nor does one that is read into": 'int main(void) { scan("5", "%d", &y); assert(x == 1); }',
    "what another function is passed is not read into": (
        'int main(void) { tell("%p", &x); scan("5", "%d", &y); assert(x == 1); }'
    ),
    "nor by a list that is handed on": 'int main(void) { tell("%p", &x); by_list("5", "%d", &y); assert(x == 1); }',
    "a string that is read is nothing else": (
        "struct pair s = {3, &x}; char to[8];"
        ' int main(void) { tell("%d", s.n); scan("5", "%7s", to); assert(*s.p == 1); }'
    ),
}
FALSE = {
    "what a list leads to is written": 'int main(void) { scan("5", "%d", &x); assert(x == 1); }',
    "also by way of a copy": 'int main(void) { through("5", "%d", &x); assert(x == 1); }',
    "a count is written there": 'int main(void) { tell("ab%n", &x); assert(x == 1); }',
    "one of several formats writes a count": (
        'int main(void) { tell("ab"); tell(y ? "%-5.2ln" : "b", &x); assert(x == 1); }'
    ),
    "a format begins in a literal": 'int main(void) { tell("ab"); tell(&"%%n"[1], &x); assert(x == 1); }',
    "a format begins behind the end of a string in a literal": (
        'int main(void) { const char *f = "a\\0%n"; tell("ab"); tell(f + 2, &x); assert(x == 1); }'
    ),
    "a format is no literal": (
        'char f[4]; int main(void) { f[0] = 37; f[1] = 110; tell("ab"); tell(f, &x); assert(x == 1); }'
    ),
    "a format comes from elsewhere": (
        'int main(void) { const char *f = getenv("F"); tell("ab"); if (f) tell(f, &x); assert(x == 1); }'
    ),
    "a count is written to a part of a structure": (
        'struct s { char *name; int n; } s = {0, 1}; int main(void) { tell("ab%n", &s.n); assert(s.n == 1); }'
    ),
    "a count is written to memory of the heap": (
        'int main(void) { int *p = malloc(sizeof *p); if (!p) return 0; *p = 1; tell("ab%n", p); assert(*p == 1); }'
    ),
    "also in a structure": (
        'struct s { int *p; }; int main(void) { struct s s = {&x}; scan("5", "%d", s.p); assert(x == 1); }'
    ),
    "also by a list that is handed on": 'int main(void) { by_list("5", "%d", &x); assert(x == 1); }',
    "also by one that is kept": 'int main(void) { later("5", "%d", &x); assert(x == 1); }',
    "also by one in memory": 'int main(void) { in_memory("5", "%d", &x); assert(x == 1); }',
    "also by a function that calls itself": 'int main(void) { again(0, "%d", &x); assert(x == 1); }',
    "also by one that called itself": 'int main(void) { first_again(1, "%d", &y); assert(x == 1); }',
    "also as a pointer": ('int main(void) { int *q = &y; scan("5", "%p", (void **)&q); *q = 5; assert(x == 1); }'),
    "also by a format that nobody knows": 'int main(void) { scan("5", getenv("F"), &x); assert(x == 1); }',
    "also what is around it": (
        'struct pair s = {3, &y}; int main(void) { scan("5", "%ld", (long *)&s); assert(s.n == 3); }'
    ),
    "also what a pointer in it leads to": (
        'struct pair s = {3, &y}; int main(void) { scan("5", "%16c", (char *)&s); *s.p = 5; assert(x == 1); }'
    ),
    "an address is printed behind a string": (
        "extern void any_of(char *); char text[9]; void put(const char *format, ...)"
        " { va_list l; va_start(l, format); vsprintf(text, format, l); va_end(l); }"
        ' int main(void) { int w = 1; put("%s %p", "a", &w); any_of(text); assert(w == 1); }'
    ),
    "also by a pointer to the function": (
        'int (*p)(const char *, const char *, ...) = scan; int main(void) { p("5", "%d", &x); assert(x == 1); }'
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_was_not_passed_keeps_its_value(tmp_path: Path, name: str) -> None:
    assert statuses(tmp_path / "a.c", START + TRUE[name]) == (Status.PROVED,)


@pytest.mark.parametrize("name", FALSE)
def test_what_was_passed_may_change(tmp_path: Path, name: str) -> None:
    assert statuses(tmp_path / "a.c", START + FALSE[name]) != (Status.PROVED,)


@pytest.mark.parametrize("name", FALSE)
def test_it_is_noticed_if_nothing_is_passed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Pointers.hold

    def hold(self: Pointers, cell: object, origins: Origins, spots: object = None) -> None:
        if not isinstance(cell, Passed):
            real(self, cell, origins, spots)  # type: ignore[arg-type]  # the arguments are those of the real one

    monkeypatch.setattr(Pointers, "hold", hold)
    assert statuses(tmp_path / "a.c", START + FALSE[name]) == (Status.PROVED,)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("none: %d of %s%%n", True),
        ("% 5.3ld in %c", True),
        ("%d%n", False),
        ("%%%n", False),
        ("%*d%n", False),
        ("%1$n", False),
        ("% 5hn", False),
    ],
)
def test_only_a_count_is_written(tmp_path: Path, written: str, expected: bool) -> None:
    text = f'int main(void) {{ int n = 1; printf("{written}", &n, &n, &n); assert(n == 1); }}'
    assert (statuses(tmp_path / "a.c", START + text) == (Status.PROVED,)) is expected


def test_code_that_is_not_there_passes_anything(tmp_path: Path) -> None:
    text = (
        "void later(int (*f)(const char *, const char *, ...), int **from);\n"
        "int main(void) { later(scan, &known); assert(x == 1); }"
    )
    assert statuses(tmp_path / "a.c", START + text, FrontendOptions()) != (Status.PROVED,)


@pytest.mark.parametrize(("other", "expected"), [("va_copy(b, a)", True), ("b = 0", False)])
def test_a_list_that_was_begun_is_not_null(tmp_path: Path, other: str, expected: bool) -> None:
    text = f"""#include <stdarg.h>
#include <stdio.h>
int any(void);
void tell(const char *format, ...) {{
  va_list a, b; va_start(a, format); if (any()) {other}; else va_copy(b, a); vfprintf(stderr, format, b); }}
int main(void) {{ tell("%s", "a"); }}
"""
    assert are_proved(tmp_path / "a.c", text, ("null-dereference",), "interval") is expected
