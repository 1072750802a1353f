"""Functions of a program that only have the names of library functions: by their types they are others."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.ctypes.types import LP64, FunctionType
from duet.frontend.lower import lower
from duet.frontend.models import applied
from duet.frontend.models.prototypes import is_alike, library_prototype
from duet.frontend.models.table import TABLE
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import FrontendOptions
from tests.frontend.running import fails, statuses

FALSE = {
    "fewer parameters": (
        "int recv(char *b, int n); int main(void) { char b[4] = {0}; recv(b, 4); assert(b[0] == 0); }",
        "int recv(char *b, int n) { b[0] = 1; return n; }",
    ),
    "more parameters": (
        "int strcoll(const char *a, const char *b, char *c);\n"
        'int main(void) { char c[2] = {0}; strcoll("a", "b", c); assert(c[0] == 0); }',
        "int strcoll(const char *a, const char *b, char *c) { c[0] = 1; return 0; }",
    ),
    "a number for a pointer": (
        "int unsetenv(int *x); int main(void) { int x = 0; unsetenv(&x); assert(x == 0); }",
        "int unsetenv(int *x) { *x = 1; return 0; }",
    ),
    "a pointer for a number": (
        "int usleep(int *x); int main(void) { int x = 0; usleep(&x); assert(x == 0); }",
        "int usleep(int *x) { *x = 1; return 0; }",
    ),
    "a pointer to another structure": (
        "struct point { int x; }; int tcflush(struct point *p, int how);\n"
        "int main(void) { struct point p = {0}; tcflush(&p, 1); assert(p.x == 0); }",
        "struct point { int x; }; int tcflush(struct point *p, int how) { p->x = how; return 0; }",
    ),
    "a structure where the library has one of its own": (
        "struct file { int n; }; int fflush(struct file *f);\n"
        "int main(void) { struct file f = {0}; fflush(&f); assert(f.n == 0); }",
        "struct file { int n; }; int fflush(struct file *f) { f->n = 1; return 0; }",
    ),
    "no result": (
        "void usleep(unsigned n); extern int shared; int shared;\n"
        "int send(int *x, const void *b, unsigned long n, int f);\n"
        "int main(void) { int x = 0; send(&x, 0, 0, 0); assert(x == 0); }",
        "int send(int *x, const void *b, unsigned long n, int f) { *x = 1; return 0; }",
    ),
    "a result of another kind": (
        'double strlen(const char *s); int main(void) { assert(strlen("ab") == 2); }',
        "double strlen(const char *s) { return 3; }",
    ),
    "declared in a block": (
        "int main(void) { int unsetenv(int *x); int x = 0; unsetenv(&x); assert(x == 0); }",
        "int unsetenv(int *x) { *x = 1; return 0; }",
    ),
    "declared behind its first use": (
        "int other(void) { int unsetenv(int *x); return 0; } int unsetenv(int *x);\n"
        "int main(void) { int x = 0; other(); unsetenv(&x); assert(x == 0); }",
        "int unsetenv(int *x) { *x = 1; return 0; }",
    ),
    "without a prototype": (
        "int unsetenv(); int main(void) { int x = 0; unsetenv(&x); assert(x == 0); }",
        "int unsetenv(int *x) { *x = 1; return 0; }",
    ),
    "not declared": (
        "int main(void) { int x = 0; unsetenv(&x); assert(x == 0); }",
        "int unsetenv(int *x) { *x = 1; return 0; }",
    ),
    "through a pointer": (
        "int unsetenv(int *x); int main(void) { int (*f)(int *) = unsetenv, x = 0; f(&x); assert(x == 0); }",
        "int unsetenv(int *x) { *x = 1; return 0; }",
    ),
    "an assumption": (
        "int x; void assume(int *p); int main(void) { assume(&x); assert(x == 0); }",
        "void assume(int *p) { *p = 1; }",
    ),
    "an assumption that is none": (
        "int assume(int a, int b); int main(void) { int x = 1; assume(0, 1); assert(x == 0); }",
        "int assume(int a, int b) { return 1; }",
    ),
    "a lock": (
        "struct box { int n; }; int mtx_lock(struct box *b);\n"
        "int main(void) { struct box b = {0}; mtx_lock(&b); assert(b.n == 0); }",
        "struct box { int n; }; int mtx_lock(struct box *b) { b->n = 1; return 0; }",
    ),
    "an atomic operation": (
        "int atomic_load(int *p, int *q); int x, y; int main(void) { atomic_load(&x, &y); assert(y == 0); }",
        "int atomic_load(int *p, int *q) { *q = 1; return 0; }",
    ),
    "of an allocator": (
        "void *malloc(int *p, int n); int main(void) { int x = 0; malloc(&x, 1); assert(x == 0); }",
        None,
    ),
    "of the kernel, in a library": (
        "int usb_control_msg(void *d, int t, int r, int v, int i, char *b, int n, int w);\n"
        "int main(void) { char b[4] = {0}; usb_control_msg(0, 1, 2, 3, 4, b, 4, 9); assert(b[0] == 0); }",
        "int usb_control_msg(void *d, int t, int r, int v, int i, char *b, int n, int w) { b[0] = 1; return n; }",
    ),
    "of the kernel, that ends it": (
        'void panic(const char *s, ...); int main(void) { int x = 1; panic(""); assert(x == 0); }',
        "void panic(const char *s, ...) { }",
    ),
}
TRUE = {
    "as the library's": "long read(int f, void *b, unsigned long n); int main(void) { int x = 0; read(0, 0, 0);\n"
    "assert(x == 0); }",
    "with other integers": "void *malloc(unsigned n); void free(void *p);\n"
    "int main(void) { int *p = malloc(4); if (p) { *p = 1; assert(*p == 1); free(p); } }",
    "with characters": "char *memset(char *p, int c, int n); int main(void) { char b[2]; memset(b, 0, 2);\n"
    "assert(b[1] == 0); }",
    "without a prototype": "int rand(); void abort();\n"
    "int main(void) { int x = rand(); if (x) abort(); assert(x == 0); }",
    "not declared": 'int main(void) { int x = 0; puts("a"); assert(x == 0); }',
    "by the name of a builtin": "int popcount(int x) { return __builtin_popcount(x); }\n"
    "int main(void) { int x = popcount(5); assert(x <= 32); }",
    "by headers too": "#include <sys/socket.h>\nlong recv(int, void *, unsigned long, int);\n"
    "int main(void) { char b[2], c = 0; recv(0, b, 2, 0); assert(c == 0); }",
    "of verifiers": "extern void assume_abort_if_not(int); extern int __VERIFIER_nondet_int();\n"
    "int main(void) { int x = __VERIFIER_nondet_int(); assume_abort_if_not(x > 0); assert(x > 0); }",
}
_UNREACHED = ("a result of another kind", "a lock", "an assumption that is none", "of the kernel, that ends it")
"""What is taken for the library's does not come to the check, or nothing is known of its result."""
_GENERIC = ("atomic_", "pthread_cleanup_", "__", "_")
"""What starts the names of macros of the library that any types go with, and of what is the library's for sure."""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "a.c"


@pytest.mark.parametrize("name", FALSE)
def test_another_function_may_do_anything(name: str, source: Path) -> None:
    text, other = FALSE[name]
    assert not any(status.is_safe for status in statuses(source, f"#include <assert.h>\n{text}\n"))
    if other is not None:
        assert fails(source, f"{other}\n")


@pytest.mark.parametrize(
    "declared", ["reach_error(const char *why)", "reach_error(int line, int column)", "reach_error()"]
)
def test_what_must_not_be_called_is_checked_whatever_its_type(declared: str, source: Path) -> None:
    given = {0: "", 1: '"no"', 2: "1, 2"}[0 if declared.endswith("()") else declared.count(",") + 1]
    (status,) = statuses(source, f"extern void {declared};\nint main(void) {{ reach_error({given}); return 0; }}\n")
    assert not status.is_safe


@pytest.mark.parametrize("name", TRUE)
def test_the_functions_of_the_library_stay_known(name: str, source: Path) -> None:
    assert all(status.is_safe for status in statuses(source, f"#include <assert.h>\n{TRUE[name]}\n"))


@pytest.mark.parametrize("name", [name for name in FALSE if name not in _UNREACHED])
def test_a_name_taken_for_the_function_is_noticed(name: str, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(applied.Records, "declare", lambda *_, **__: None)
    monkeypatch.setattr(applied.Records, "call", lambda *_: None)
    monkeypatch.setattr(applied.Records, "describe", lambda _, called: TABLE.get(called))
    assert all(status.is_safe for status in statuses(source, f"#include <assert.h>\n{FALSE[name][0]}\n"))


@pytest.mark.parametrize("call", ["__builtin_memset(p, 0, n)", "__builtin___memset_chk(p, 0, n, -1)"])
def test_compilers_may_call_it_for_their_own(source: Path, call: str) -> None:
    text = f"""#include <assert.h>
int calls;
void *memset(void *p, int c, unsigned long n) {{ calls++; return p; }}
void clear(char *p, int n) {{ {call}; }}
int main(int n, char **v) {{ char b[99]; clear(b, n); assert(calls == 0); }}
"""
    assert not any(status.is_safe for status in statuses(source, text))
    assert "not-understood" in _warnings(source, text)
    assert fails(source, "")


def test_the_library_is_assumed_not_to_call_it(source: Path) -> None:
    text = """#include <string.h>
void *malloc(unsigned long n) { static char all[99]; return all; }
int main(void) { strdup("a"); }
"""
    options = FrontendOptions()
    source.write_text(text, encoding="utf-8")
    found = lower(parse(preprocess(str(source), options).text, str(source), options), options)
    assert any(text.endswith("the program's own malloc") for text in found.assumptions)


def test_each_other_function_is_told(source: Path) -> None:
    for text, _ in FALSE.values():
        assert "unknown-function" in _warnings(source, f"#include <assert.h>\n{text}\n")


@pytest.mark.parametrize("name", ["int recv(char *b, int n);", "int regmap_write(int *x);", "int free(long n);"])
def test_a_driver_has_no_library(name: str, source: Path) -> None:
    call = name.split("(")[0].split()[1]
    text = f"#include <linux/module.h>\n{name}\nint main(void) {{ char b[1]; {call}((void *)b); return 0; }}\n"
    assert "unknown-function" in _warnings(source, text, FrontendOptions(model="linux"))


def test_every_record_that_a_program_may_declare_has_a_prototype() -> None:
    """But those of other libraries, and of which little is told: they only count where a header declares them."""
    told = [name for name, record in TABLE.items() if not record.is_of_kernel and not record.is_told_little]
    own = [name for name in told if not name.startswith(_GENERIC)]
    assert [name for name in own if library_prototype(name, LP64) is None] == []


def test_a_prototype_fits_itself_and_no_other_number_of_parameters() -> None:
    kinds = {name: kind for name in TABLE if (kind := library_prototype(name, LP64)) is not None}
    assert len(kinds) > 1000
    for name, kind in kinds.items():
        assert is_alike(kind, kind), name
        more = FunctionType(kind.result, (*(kind.parameters or ()), kind.result), kind.variadic)
        assert not is_alike(more, kind), name


def _warnings(source: Path, text: str, options: FrontendOptions | None = None) -> set[str]:
    options = options or FrontendOptions()
    source.write_text(text, encoding="utf-8")
    found = lower(parse(preprocess(str(source), options).text, str(source), options), options)
    return {warning.code for warning in found.warnings}
