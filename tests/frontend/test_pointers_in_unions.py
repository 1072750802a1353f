"""Pointers in unions lead where pointers lead that were written there; anywhere, once a number or bytes were.

The header is a short one of our own, at a place where system headers are. In each program `x` is 0 at the end if no
pointer that is read from a union leads there.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, Budgets, FrontendOptions

HEADER = """
void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void *realloc(void *, unsigned long);
void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long); char *strdup(const char *);
int printf(const char *, ...); int scanf(const char *, ...); int snprintf(char *, unsigned long, const char *, ...);
char *strcpy(char *, const char *); int memcmp(const void *, const void *, unsigned long); int pipe(int *);
void *memchr(const void *, int, unsigned long); int strncmp(const char *, const char *, unsigned long);
long read(int, void *, unsigned long); long write(int, const void *, unsigned long);
void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
"""
START = """
#include <library.h>
typedef union { void *v; long l; int halves[2]; char bytes[8]; double real; } item;
struct s { int tag; item d; struct s *next; };
struct other { int tag; long number; }; long __VERIFIER_nondet_long(void); double __VERIFIER_nondet_double(void);
static int x, y; int any(void); char b[16], c[16]; long l; item u; struct s s; extern item elsewhere; long number(void);
static int *volatile taken = &x; item given(void);
void keep(void *); void fill(void *); void *give(void); void assert(int);
item made(void *p) { item i; i.v = p; return i; }
struct s whole(void *p) { struct s i = {0}; i.d.v = p; return i; }
item numbered(long n) { item i; i.l = n; return i; }
item passed(int n, ...) {
  __builtin_va_list l; __builtin_va_start(l, n);
  return __builtin_va_arg(l, item);
}
long number_passed(int n, ...) {
  __builtin_va_list l; __builtin_va_start(l, n);
  return __builtin_va_arg(l, long);
}
int order(const void *a, const void *b) { return 0; }
void *heap(void) { void *p = calloc(1, sizeof(struct s)); if (!p) for (;;) ; return p; }
int main(void) { struct s *h = heap(); int *p = &x;
"""
SAFE = {
    "another pointer": "u.v = &y; *(int *)u.v = 1;",
    "in a structure": "s.d.v = &y; *(int *)s.d.v = 1;",
    "in an object of the heap": "h->d.v = &y; h->next = h; *(int *)h->next->d.v = 1;",
    "by value": "item i = made(&y); h->d = i; u = h->d; *(int *)u.v = 1;",
    "beside numbers that are written out": "u.l = 5; h->d.l = -1; u.v = h->d.v = &y; *(int *)h->d.v = 1;",
    "with a function": "u.v = &y; struct s other = *h; other.d = u; *h = other; *(int *)h->d.v = 1;",
    "text": "h->d.v = strdup(\"a\"); if (h->d.v) *(char *)h->d.v = 'b';",
}
UNSAFE = {
    "a number": "u.l = (long)&x; *(int *)u.v = 1;",
    "a number that is calculated": "long n = (long)&x * 2; u.l = n / 2; *(int *)u.v = 1;",
    "halves": "u.halves[0] = (int)(long)&x; u.halves[1] = (int)((long)&x >> 32); *(int *)u.v = 1;",
    "of a pointer of which nothing is known": "keep(&x); u.l = (long)give() + 1; u.l--; *(int *)u.v = 1;",
    "its bytes": "memcpy(&u, &p, 8); *(int *)u.v = 1;",
    "its bytes as a member": "memcpy(u.bytes, &p, 8); *(int *)u.v = 1;",
    "its bytes one by one": (
        "char *a = (char *)&s.d; for (int i = 0; i < 8; i++) a[i] = ((char *)&p)[i]; *(int *)s.d.v = 1;"
    ),
    "a structure": "struct s o = {0}; o.d.v = &x; s = o; *(int *)s.d.v = 1;",
    "the result of a function": "u = made(&x); *(int *)u.v = 1;",
    "a member of a result": "*(int *)made(&x).v = 1;",
    "a structure as a result": "s = whole(&x); *(int *)s.d.v = 1;",
    "a variable argument": "item i; i.v = &x; u = passed(1, i); *(int *)u.v = 1;",
    "one of two": "item a, b; a.v = &y; b.v = &x; u = any() ? a : b; *(int *)u.v = 1;",
    "what is given a new size": "h->d.v = &x; h = realloc(h, 64); if (h) *(int *)h->d.v = 1;",
    "what grows": (
        "h = 0; for (int i = 1; i < 3; i++) { h = realloc(h, i * sizeof *h); if (!h) return 0; if (i < 2) h->d.v = p; }"
        "*(int *)h->d.v = 1;"
    ),
    "an initialiser": "static struct s o = {1, {&x}, 0}; *(int *)o.d.v = 1;",
    "an initialiser of an array": "item o[2] = {{&y}, {&x}}; *(int *)o[1].v = 1;",
    "initialisers of two members": (
        "static union { struct { int *a, *b; } s; int *t[2]; } o = {.s = {&y, &y}, .t[1] = &x}; *o.s.b = 1;"
    ),
    "beside a part that is given twice": (
        "static struct { struct s s; item u; } o = {.s = (struct s){1}, .s.tag = 2, .u = {&x}}; *(int *)o.u.v = 1;"
    ),
    "a literal": "u = (item){.v = &x}; *(int *)u.v = 1;",
    "through a pointer to the member": "void **q = &u.v; u.v = &y; *q = &x; *(int *)u.v = 1;",
    "through a pointer that was moved": "char *q = (char *)&s; s.d.v = &y; *(int **)(q + 8) = &x; *(int *)s.d.v = 1;",
    "through a pointer to numbers": (
        "char *q = (char *)h; h->d.v = &y; *(long *)(q + 8) = (long)&x; *(int *)h->d.v = 1;"
    ),
    "by a function that nobody knows": "keep(&x); fill(&s); *(int *)s.d.v = 1;",
    "by one that is given the member": "keep(&x); fill(&u.l); *(int *)u.v = 1;",
    "that one gives": "keep(&x); u = given(); *(int *)u.v = 1;",
    "a number that one gives": "keep(&x); u.l = number(); *(int *)u.v = 1;",
    "what others have": "keep(&x); elsewhere.v = &y; *(int *)elsewhere.v = 1;",
    "printed": 'u.v = &y; printf("%p", (void *)&x); scanf("%p", &u.v); *(int *)u.v = 1;',
    "sent": "int f[2]; pipe(f); write(f[1], &p, 8); read(f[0], u.bytes, 8); *(int *)u.v = 1;",
    "an atomic exchange": "u.v = &y; __atomic_exchange_n(&u.v, (void *)&x, 5); *(int *)u.v = 1;",
    "another order": "item o[2]; o[0].v = &y; o[1].v = &x; qsort(o, 2, sizeof *o, order); *(int *)o[0].v = 1;",
    "bytes of an array": "memcpy(b, &p, 8); for (int i = 0; i < 8; i++) h->d.bytes[i] = b[i]; *(int *)h->d.v = 1;",
    "bits of an array": (
        "memcpy(b, &p, 8); for (int i = 0; i < 64; i++) if (b[i / 8] >> i % 8 & 1) h->d.l |= 1L << i;"
        "*(int *)h->d.v = 1;"
    ),
    "a number of an array": "memcpy(b, &p, 8); memcpy(&l, b, 8); h->d.l = l; *(int *)h->d.v = 1;",
    "text of an array": (
        "memcpy(b, &p, 8); strcpy(c, b); for (int i = 0; i < 8; i++) h->d.bytes[i] = c[i]; *(int *)h->d.v = 1;"
    ),
    "printed text of an array": (
        'memcpy(b, &p, 8); snprintf(c, 16, "%s", b); for (int i = 0; i < 8; i++) h->d.bytes[i] = c[i];'
        "*(int *)h->d.v = 1;"
    ),
    "text of a pointer": (
        "strcpy(b, (char *)&p); for (int i = 0; i < 8; i++) h->d.bytes[i] = b[i]; *(int *)h->d.v = 1;"
    ),
    "halves of an array": (
        "char d[4]; memcpy(d, &p, 4); for (int i = 0; i < 4; i++) h->d.bytes[i] = d[i];"
        "memcpy(d, (char *)&p + 4, 4); for (int i = 0; i < 4; i++) h->d.bytes[4 + i] = d[i]; *(int *)h->d.v = 1;"
    ),
    "what is equal": (
        "memcpy(b, &p, 8); for (int i = 0; i < 8; i++) for (int k = 0; k < 256; k++)"
        "if (b[i] == (char)k) h->d.bytes[i] = k;"
        "*(int *)h->d.v = 1;"
    ),
    "what a function finds equal": (
        "for (int i = 0; i < 8; i++) for (int k = 0; k < 256; k++)"
        "{ char z = k; if (!memcmp((char *)&p + i, &z, 1)) h->d.bytes[i] = k; } *(int *)h->d.v = 1;"
    ),
    "what a function finds": (
        "for (int i = 0; i < 8; i++) for (int k = 0; k < 256; k++)"
        "if (memchr((char *)&p + i, k, 1)) h->d.bytes[i] = k; *(int *)h->d.v = 1;"
    ),
    "what is equal as text": (
        "for (int i = 0; i < 6; i++) for (int k = 1; k < 256; k++)"
        "{ char z[2] = {k, 0}; if (!strncmp((char *)&p + i, z, 1)) h->d.bytes[i] = k; } *(int *)h->d.v = 1;"
    ),
    "a distance from null": "h->d.l = (char *)&x - (char *)0; *(int *)h->d.v = 1;",
    "a distance from another object": "h->d.l = (long)&y + ((char *)&x - (char *)&y); *(int *)h->d.v = 1;",
    "compared": 'scanf("%ld", &h->d.l); if (h->d.v == &x) *(int *)h->d.v = 1;',
    "a variable argument as a number": "h->d.l = number_passed(1, &x); *(int *)h->d.v = 1;",
    "any number": 'scanf("%ld", &l); h->d.l = l; *(int *)h->d.v = 1;',
    "any number, copied": "struct s *g = heap(); g->d.l = __VERIFIER_nondet_long(); *h = *g; *(int *)h->d.v = 1;",
    "any number by value": "h->d = numbered(__VERIFIER_nondet_long()); *(int *)h->d.v = 1;",
    "a part of any number": "h->d.halves[0] = __VERIFIER_nondet_long(); *(int *)h->d.v = 1;",
    "a part of a number that is written out": "h->d.v = &y; h->d.halves[0] = 0x404040; *(int *)h->d.v = 1;",
    "any floating number": "h->d.real = __VERIFIER_nondet_double(); *(int *)h->d.v = 1;",
    "any number in another structure": (
        "struct other o = {0, __VERIFIER_nondet_long()}; *(struct other *)&s = o; *(int *)s.d.v = 1;"
    ),
    "any number through another type": "*(long *)((char *)&s + 8) = __VERIFIER_nondet_long(); *(int *)s.d.v = 1;",
    "read as a number": "read(0, h, sizeof *h); *(int *)h->d.v = 1;",
    "memory of no type": (
        "char *q = malloc(24); if (!q) return 0; h->d.v = &x; memcpy(q, h, 24); memcpy(&s, q, 24); *(int *)s.d.v = 1;"
    ),
}


def are_proved(folder: Path, body: str, is_large: bool = False) -> bool:
    """Whether all checks of a program with a body of `main` hold, as far as an analysis finds out."""
    headers = folder / "usr" / "include"
    headers.mkdir(parents=True)
    (headers / "library.h").write_text(HEADER, encoding="utf-8")
    path = folder / "a.c"
    path.write_text(f"{START} {body} assert(x == 0); return 0; }}\n", encoding="utf-8")
    budgets = Budgets(program_commands=-1) if is_large else Budgets()
    options = FrontendOptions(budgets=budgets, include_dirs=(str(headers),))
    program = lower(parse(preprocess(str(path), options).text, str(path), options), options).program
    return all(status.is_safe for status in analyse(program, AnalysisOptions()).statuses)


@pytest.mark.parametrize("name", SAFE)
def test_pointers_that_were_written_to_a_union_are_known(tmp_path: Path, name: str) -> None:
    assert are_proved(tmp_path, SAFE[name])


@pytest.mark.parametrize("name", UNSAFE)
def test_addresses_come_into_a_union_by_other_ways(tmp_path: Path, name: str) -> None:
    assert not are_proved(tmp_path / "small", UNSAFE[name])
    assert not are_proved(tmp_path / "large", UNSAFE[name], is_large=True)
