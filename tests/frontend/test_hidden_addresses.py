"""A library may put an address into any memory that is large enough, and find it there, or in a copy, later.

So may the program, where it takes a pointer apart: copies its bytes, prints it, sends it. The header is a short one of
our own, at a place where system headers are. In each program `x` is 0 at the end if nothing finds its address again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.cells import hidden
from duet.frontend.lower import Lowered, lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, Budgets, FrontendOptions

HEADER = """
void keep(int *x); void fill(void *h, int *x); void use(void *h);
unsigned long number_of(int *x); void use_number(unsigned long n); void use_double(double d);
struct two { int a, b; }; struct two two_of(int *x); void use_two(struct two t);
void *malloc(unsigned long); void *realloc(void *, unsigned long);
void *memcpy(void *, const void *, unsigned long); int memcmp(const void *, const void *, unsigned long);
void *memchr(const void *, int, unsigned long);
int snprintf(char *, unsigned long, const char *, ...); char *strcpy(char *, const char *);
int printf(const char *, ...); int putchar(int); int vsnprintf(char *, unsigned long, const char *, __builtin_va_list);
long read(int, void *, unsigned long); long write(int, const void *, unsigned long);
struct iovec { void *base; unsigned long length; }; long writev(int, const struct iovec *, int);
"""
START = """
#include <library.h>
struct record { int a; unsigned long n; char room[8]; } r, s;
int x = 1, k, pair[2], *own = &x; char bytes[16], others[16]; unsigned long number, numbers[4]; struct two two, twice;
void assert(int);
void copy(void *to, const void *from, int n) { char *a = to; const char *b = from; while (n--) *a++ = *b++; }
unsigned long own_result(int n, ...) {
  __builtin_va_list l; __builtin_va_start(l, n);
  return __builtin_va_arg(l, unsigned long);
}
void own_list(char *to, const char *format, __builtin_va_list l) { vsnprintf(to, 16, format, l); }
void own_print(char *to, const char *format, ...) {
  __builtin_va_list l; __builtin_va_start(l, format); vsnprintf(to, 16, format, l); __builtin_va_end(l);
}
void own_print_by_list(char *to, const char *format, ...) {
  __builtin_va_list l; __builtin_va_start(l, format); own_list(to, format, l); __builtin_va_end(l);
}
void (*own_printer)(char *, const char *, ...) = own_print;
void *heap(void) { void *p = malloc(16); if (!p) for (;;) ; return p; }
int main(int count, char **arguments) { void *h;
"""
STORED = {
    "memory of no type": "h = heap(); fill(h, &x); x = 0; use(h);",
    "memory that moved": "h = heap(); fill(h, &x); h = realloc(h, 32); if (!h) return 0; x = 0; use(h);",
    "given before": "h = heap(); keep(&x); fill(h, 0); x = 0; use(h);",
    "bytes": "fill(bytes, &x); x = 0; use(bytes);",
    "bytes, copied": "fill(bytes, &x); memcpy(others, bytes, 16); x = 0; use(others);",
    "bytes, copied one by one": "fill(bytes, &x); copy(others, bytes, 16); x = 0; use(others);",
    "bytes, copied as text": "fill(bytes, &x); strcpy(others, bytes); x = 0; use(others);",
    "two halves": "fill(pair, &x); x = 0; use(pair);",
    "a structure": "fill(&two, &x); x = 0; use_two(two);",
    "a structure, copied": "fill(&two, &x); twice = two; x = 0; use(&twice);",
    "a structure that is returned": "two = two_of(&x); twice = two; x = 0; use(&twice);",
    "a number": "fill(&number, &x); x = 0; use(&number);",
    "a number by value": "fill(&number, &x); x = 0; use_number(number);",
    "a number, changed": "number = number_of(&x) ^ 77; x = 0; use_number(number ^ 77);",
    "a member": "fill(&r.n, &x); s.n = r.n; x = 0; use(&s.n);",
    "one of several": "fill(&numbers[count & 3], &x); x = 0; use_number(numbers[1]);",
    "a floating value": "double d; fill(&d, &x); x = 0; use_double(d);",
}
OWN = {
    "copied": "memcpy(bytes, &own, sizeof own); x = 0; use(bytes);",
    "copied to memory of no type": "h = heap(); memcpy(h, &own, sizeof own); x = 0; use(h);",
    "copied one by one": "copy(bytes, &own, 8); x = 0; use(bytes);",
    "written as a pointer": "*(int **)pair = &x; x = 0; use(pair);",
    "printed": 'snprintf(bytes, 16, "%lx", (unsigned long)&x); x = 0; use(bytes);',
    "printed and copied": 'snprintf(bytes, 16, "%p", (void *)&x); strcpy(others, bytes); x = 0; use(others);',
    "printed in halves": (
        'unsigned long n = (unsigned long)&x;snprintf(bytes, 16, "%d %d", (int)n, (int)(n >> 32)); x = 0; use(bytes);'
    ),
    "sent": "write(3, &own, 8); read(3, bytes, 8); x = 0; use(bytes);",
    "sent in parts": "struct iovec v = {&own, 8}; writev(3, &v, 1); read(3, bytes, 8); x = 0; use(bytes);",
    "a floating value": "double d = (unsigned long)&x; x = 0; use_double(d);",
    "read as a floating value": "double d = *(double *)&own; x = 0; use_double(d);",
    "copied in halves": "pair[0] = *(int *)&own; pair[1] = ((int *)&own)[1]; x = 0; use(pair);",
    "as all other bits": "number = ~-(unsigned long)&x; x = 0; use_number(-~number);",
    "printed by an own function": 'own_print(bytes, "%s %p", "", (void *)&x); x = 0; use(bytes);',
    "printed by a pointer to one": 'own_printer(bytes, "%s %p", "", (void *)&x); x = 0; use(bytes);',
    "printed with any format": "own_print(bytes, arguments[0], (void *)&x); x = 0; use(bytes);",
    "printed with one of two formats": 'own_print(bytes, count ? "%s" : "%p", (void *)&x); x = 0; use(bytes);',
    "printed by one that hands its list on": 'own_print_by_list(bytes, "%s %p", "", (void *)&x); x = 0; use(bytes);',
    "printed to a stream": 'printf("%p", (void *)own); read(0, bytes, 16); x = 0; use(bytes);',
    "printed byte by byte": "for (k = 0; k < 64; k += 8) putchar((unsigned long)&x >> k); x = 0; use_number(count);",
    "bit by bit": "for (k = 0; k < 64; k++) if ((unsigned long)&x >> k & 1) number |= 1ul << k; x = 0; use(&number);",
    "counted": "while (number < (unsigned long)&x) number++; x = 0; use_number(number);",
    "bytes of a copy": (
        "memcpy(bytes, &own, 8); for (k = 0; k < 8; k++) number = number << 8 | (unsigned char)bytes[k];"
        "x = 0; use_number(number);"
    ),
    "copied in halves by a function": (
        "memcpy(&k, &own, 4); memcpy(&two.a, (char *)&own + 4, 4); x = 0; use_number((unsigned long)two.a << 32 | k);"
    ),
    "copied as text": "strcpy(bytes, (char *)&own); number = (unsigned char)bytes[k]; x = 0; use_number(number);",
    "printed as text": (
        'snprintf(bytes, 16, "%s", (char *)&own); number = (unsigned char)bytes[k]; x = 0; use_number(number);'
    ),
    "printed as text by an own function": (
        'own_print(bytes, "%s", (char *)&own); number = (unsigned char)bytes[k]; x = 0; use_number(number);'
    ),
    "printed as text with any format": (
        "own_print(bytes, arguments[0], (void *)&own); number = (unsigned char)bytes[k]; x = 0; use_number(number);"
    ),
    "printed as text by one that hands its list on": (
        'own_print_by_list(bytes, "%s%s", "", (char *)&own); number = (unsigned char)bytes[k]; x = 0;'
        "use_number(number);"
    ),
    "compared byte by byte": (
        "for (k = 0; k < 8; k++) for (bytes[0] = 0; memcmp((char *)&own + k, bytes, 1); bytes[0]++) number++;"
        "x = 0; use_number(number);"
    ),
    "sought": "number = memchr(&own, k, 8) != 0; x = 0; use_number(number << k);",
    "compared with numbers": "while ((int *)number != &x) number++; x = 0; use_number(number);",
    "ordered among numbers": "while ((int *)number < &x) number++; x = 0; use_number(number);",
    "its distance from null": "number = (char *)&x - (char *)0; x = 0; use_number(number);",
    "its distance from another": "number = (unsigned long)&k + ((char *)&x - (char *)&k); x = 0; use_number(number);",
    "passed on as a pointer": "number = own_result(1, &x); x = 0; use_number(number);",
    "passed on": "number = own_result(1, (unsigned long)&x); x = 0; use_number(number);",
    "in a union": "union { int *p; unsigned long n; } u; u.p = &x; number = u.n; x = 0; use_number(number);",
}
TRUE = {
    "never given": "fill(bytes, &k); fill(&number, &k); x = 0; use(bytes); use_number(number);",
    "compared": "if (memcmp(&own, bytes, 8)) k = 1; x = 0; use(0);",
    "given with nothing else": "keep(&x); x = 0; use(0);",
}


BY_CASES = {
    "bit by bit": (
        "unsigned long n = number_of(&x); for (k = 0; k < 64; k++) if (n >> k & 1) number |= 1ul << k;"
        "x = 0; use_number(number);"
    ),
    "counted": "unsigned long n = number_of(&x); while (number < n) number++; x = 0; use_number(number);",
    "by cases": "switch (number_of(&x) & 1) { case 1: number = 1; } x = 0; use_number(number);",
}


def lowered(folder: Path, body: str, is_large: bool = False) -> Lowered:
    """A program with a body of `main`."""
    headers = folder / "usr" / "include"
    headers.mkdir(parents=True)
    (headers / "library.h").write_text(HEADER, encoding="utf-8")
    path = folder / "a.c"
    path.write_text(f"{START} {body} assert(x == 0); return 0; }}\n", encoding="utf-8")
    budgets = Budgets(program_commands=-1) if is_large else Budgets()
    options = FrontendOptions(budgets=budgets, include_dirs=(str(headers),))
    return lower(parse(preprocess(str(path), options).text, str(path), options), options)


def are_safe(folder: Path, body: str, is_large: bool = False) -> set[bool]:
    """Whether the checks of a program hold, as far as an analysis finds out."""
    program = lowered(folder, body, is_large).program
    return {status.is_safe for status in analyse(program, AnalysisOptions()).statuses}


@pytest.mark.parametrize("name", STORED)
def test_what_a_library_stored_is_found_again(tmp_path: Path, name: str) -> None:
    assert are_safe(tmp_path, STORED[name]) == {False}


@pytest.mark.parametrize("name", OWN)
def test_a_pointer_that_is_taken_apart_is_found_again(tmp_path: Path, name: str) -> None:
    assert are_safe(tmp_path / "small", OWN[name]) == {False}
    assert are_safe(tmp_path / "large", OWN[name], is_large=True) == {False}


@pytest.mark.parametrize("name", BY_CASES)
def test_what_the_program_does_by_cases_of_an_address_is_assumed_to_tell_nothing(tmp_path: Path, name: str) -> None:
    assert hidden.CASES in lowered(tmp_path, BY_CASES[name]).assumptions


@pytest.mark.parametrize("name", TRUE)
def test_what_is_nowhere_is_not(tmp_path: Path, name: str) -> None:
    assert are_safe(tmp_path, TRUE[name]) == {True}


@pytest.mark.parametrize(
    ("rule", "body"),
    [
        ("note", "h = heap(); fill(h, &x); x = 0; *(int *)h = 1; use(h);"),
        ("note_behind", OWN["copied to memory of no type"]),
        ("take_apart", OWN["sent"]),
        ("take_apart_value", OWN["printed"]),
        ("take_bytes", OWN["copied one by one"]),
        ("take_overlaid", OWN["in a union"]),
        ("note_bytes", OWN["copied as text"]),
        ("note_compared", OWN["compared with numbers"]),
        ("note_distance", OWN["its distance from null"]),
    ],
)
def test_each_part_of_the_rule_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rule: str, body: str) -> None:
    monkeypatch.setattr(hidden, rule, lambda *_: None)
    assert are_safe(tmp_path, body) == {True}
