"""`array-bounds`: every access that may be outside of its object has a check, and none that is outside is proved."""

# ruff: noqa: E501  (a program in a line is easier to find)

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.frontend.bodies import compiled, decided, fails

START = f"""#define _GNU_SOURCE
#define NAME "{Path(__file__)}"
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <alloca.h>
#include <unistd.h>
#include <fcntl.h>
#include <stdarg.h>
#include <pthread.h>
#include <stdatomic.h>
extern int any(void);
struct s {{ int n; int *p; }};
struct slot {{ int owner, other; }};
struct rows {{ struct slot row[3]; int tail; }};
struct bits {{ unsigned low : 3, high : 5; }};
union both {{ int number; char text[4]; float real; }};
int a[4], b[8], m[4][3], out;
atomic_int hits[4];
float reals[4];
char text[8];
struct slot slots[4], one, pair, *kept;
struct {{ char text[8]; }} tight;
char name[8];
struct rows rows[4];
struct bits bits[4];
union both both[4];
int *pointers[2];
pthread_mutex_t locks[2];
static void start(struct slot *p) {{ p->owner = 1; }}
static void put(int *p) {{ *p = 1; }}
static void as_long(void *p) {{ *(long *)p = 1; }}
static void varied(int n, ...) {{ va_list l; va_start(l, n); va_arg(l, struct slot *)->owner = 1; va_end(l); }}
static int order(const void *one, const void *other) {{ return one == other; }}
static void put_real(float *p) {{ *p = 1; }}
static struct slot *find(int n) {{ return &slots[n]; }}
static struct slot *(*finds)(int);
static void use(void) {{ kept->owner = 2; }}
static void *run(void *p) {{ struct slot *given = p; given->owner = 1; return 0; }}
static void first_of(int (*row)[3]) {{ (*row)[0] = 1; }}
static void second_in(struct rows *p) {{ p->row[1].owner = 1; }}
static void copy_to(struct slot *p) {{ *p = one; }}
static void copy_from(struct slot *p) {{ one = *p; }}
static struct slot given_back(struct slot *p) {{ return *p; }}
static void high(struct bits *p) {{ p->high = 1; }}
static int text_of(union both *p) {{ return p->text[0]; }}
static void through(int **p) {{ *p = a; }}
static void further(struct slot *p, int n) {{ if (n) further(p + 1, n - 1); else p->owner = 1; }}
"""
OUTSIDE = {
    "an element of what is allocated": "int n = any(); int *h = malloc(n * sizeof *h); if (h) h[n] = 1;",
    "an element of so many": "int *h = malloc(16); if (h) h[any() - 3] = 1;",
    "an element of zeroes": "int *h = calloc(any(), 4); if (h) out = h[any()];",
    "an element of a variable length": "int n = any(); int v[n]; v[n] = 2;",
    "an element of one of two": "int *p = any() > 3 ? a : b; p[any() - 2] = 1;",
    "an element of the smaller one": "int *p = any() > 3 ? a : b; p[5] = 1;",
    "before the first": "int *p = b; p -= any(); *p = 1;",
    "a larger type": "char c = 0; out = *(int *)&c;",
    "a larger type that is allocated": "struct s *p = malloc(4); if (p) p->p = 0;",
    "all bytes and more": "char c[4]; memset(c, 0, any());",
    "more bytes than there are": "char c[4]; memset(c, 0, 8); out = c[0];",
    "a copy of too much": "char c[4], d[8] = {0}; memcpy(c, d, 8); out = c[0];",
    "a copy from too little": "char c[4] = {0}, d[8]; memcpy(d, c, 8); out = d[0];",
    "what is given back smaller": "int *h = realloc(malloc(40), 4); if (h) h[any()] = 1;",
    "a member through a parameter": "int i = any() & 7; start(&slots[i > 4 ? 4 : i]);",
    "a member of the end": "int n = 4; (slots + n)->owner = 1;",
    "a member that is read": "out = (slots + any())->owner;",
    "a member before the first": "int *p = (slots - any())->owner ? a : b; out = *p;",
    "a member of what a function finds": "find(4)->owner = 1;",
    "a member of what another one finds": "finds = find; finds(4)->owner = 1;",
    "a member of a choice": "(any() ? &slots[4] : &one)->owner = 1;",
    "a member behind a comma": "(out = 1, slots + 4)->owner = 1;",
    "a member after a cast": "((struct slot *)(void *)&slots[4])->owner = 1;",
    "a pointer that was kept": "kept = slots + 4; use();",
    "a pointer for another thread": "pthread_t t; pthread_create(&t, 0, run, &slots[4]); pthread_join(t, 0);",
    "a pointer that runs too far": "for (struct slot *p = slots; p <= slots + 4; p++) p->owner = 1;",
    "a pointer that recursion moves": "further(slots, 4);",
    "an element by its address": "for (int i = 0; i <= 4; i++) (&slots[i])->owner = 1;",
    "an index in front": "any()[a] = 1;",
    "an index that is negative": "a[-any()] = 1;",
    "a row too many": "first_of(&m[4]);",
    "a row in a structure too many": "second_in(&rows[4]);",
    "a step within a row": "m[3][any()] = 1;",
    "a structure that is written": "copy_to(&slots[4]);",
    "a structure that is read": "copy_from(slots + 4);",
    "a structure that is returned": "one = given_back(&slots[4]);",
    "a compound assignment": "int *p = &a[4]; *p += 1;",
    "a bit-field": "high(&bits[4]);",
    "a part of a union": "out = text_of(&both[4]);",
    "a floating value": "put_real(&reals[4]);",
    "a pointer to a pointer": "through(pointers + 2);",
    "the end of a flexible array": "struct { int n; int data[]; } *f = malloc(12); if (f) put(&f->data[2]);",
    "the end of a variable length": "int n = any(); int v[n]; put(&v[n]);",
    "the end of what is allocated": "struct slot *p = malloc(4 * sizeof *p); if (p) start(&p[4]);",
    "the end of an array in many structures": "struct rows *r[20] = {0}; for (int i = 0; i < 20; i++) r[i] = malloc(12); if (!r[any() & 1]) return 0; kept = &r[any() & 1]->row[1]; kept = &r[any() & 1]->row[3]; use();",
    "an element of a structure that is too small": "struct rows *r[20] = {0}; for (int i = 0; i < 20; i++) r[i] = malloc(12); if (!r[any() & 1]) return 0; kept = &r[any() & 1]->row[1]; use();",
    "nothing that is allocated": "int *p = malloc(0); if (p) *p = 1;",
    "an atomic update": "atomic_fetch_add(&hits[4], 1);",
    "an atomic update by an operator": "(*(hits + 4))++;",
    "an atomic exchange of a constant": "atomic_exchange(&hits[4], 1);",
    "where an atomic operation writes the old value": "int v = 1; __atomic_exchange(&a[0], &v, &a[4], 5);",
    "where the sum goes": "__builtin_add_overflow(any(), 1, &a[4]);",
    "an inner part as a larger type": "*(int *)&text[6] = 1;",
    "an inner member as a larger type": "as_long(&pair.other);",
    "a late member of a type that is too large": "int *p = &((struct rows *)&one)->tail; *p = 1;",
    "behind what was copied": "char *end = mempcpy(tight.text, name, 8); *end = 1;",
    "a pointer of which nothing is known": "varied(1, slots + 4);",
    "an allocation that shrinks": "int *h = realloc(malloc(40), 1); if (h) *h = 1;",
    "an allocation of a size that is not known": "struct s *p = malloc(any()); if (p) p->p = 0;",
    "bytes that are compared": "out = memcmp(a, b, 32);",
    "bytes that are searched": "out = memchr(text, 3, any() + 20) != 0;",
    "a long string that is copied": 'strcpy(text, "much too long for it to fit");',
    "a string of any length that is copied": 'char from[16] = "0123456789"; strcpy(text, from);',
    "a part of a string": 'strncpy(text, "abc", 9 + any());',
    "a string that is appended": 'strcpy(text, "abcd"); strcat(text, "efghi");',
    "a number that is printed": 'sprintf(text, "%d", 12345678 * any());',
    "a text that is printed": 'sprintf(text, "much too long");',
    "one of some texts that is printed": 'sprintf(text, "%s", any() ? "much too long" : "short");',
    "one of some texts that is copied": 'const char *t = any() ? "much too long" : "short"; strcpy(text, t);',
    "a limit that is too large": 'snprintf(text, 30, "%d-%d", 1234567 * any(), 1234567);',
    "what is read": "read(open(NAME, 0), text, 16);",
    "behind as many as are read": 'int n = any() & 7; long k = read(open("/dev/zero", 0), text, n + 1); text[k + 8] = 1;',
    "more than is in the smaller of two": "struct s *p = malloc(any() ? 4 : 4), *q = malloc(16); if (!q || !p) return 0; p = any() > 9 ? q : p; p->p = 0;",
    "elements that are read": 'FILE *f = fopen(NAME, "r"); if (f) fread(text, 2, 8, f);',
    "a line that is read": 'FILE *f = fopen(NAME, "r"); if (f) fgets(text, 20, f);',
    "a word that is read": 'FILE *f = fopen(NAME, "r"); if (f) fscanf(f, "%*[^_]%s", text);',
    "a number that is read": 'sscanf("7", "%d", &a[4]);',
    "what is written": "write(1, text, 16);",
    "elements that are written": "fwrite(text, 2, 8, stdout);",
    "a string without end": "char t[4] = {1, 2, 3, 4}; out = strlen(t);",
    "a string without end that is compared": 'char t[4] = {1, 2, 3, 4}; out = strcmp(t, "\\1\\2\\3\\4\\5");',
    "a string without end that is printed": 'char t[4] = {97, 98, 99, 100}; printf("%s", t);',
    "elements that are sorted": "qsort(a, 5, sizeof *a, order);",
    "a member behind what is there of a structure": "struct slot *p = malloc(4); if (p) { p->owner = 1; p->other = 1; }",
    "an element behind what is there": "struct rows *p = malloc(16); if (p) { p->row[1].other = 1; p->row[any() & 2].owner = 1; }",
    "a member of the smaller one": "struct s *h[3]; for (int i = 0; i < 2; i++) h[i] = malloc(16); h[2] = malloc(4); if (!h[any() % 3]) return 0; h[any() % 3 + 1]->n = 1; h[any() % 3 + 1]->p = 0;",
}
INSIDE = {
    "as many as are read": 'int n = any() & 7; long k = read(open("/dev/zero", 0), text, n + 1); if (k > 0) text[k - 1] = 1;',
    "one of two that are allocated": "struct slot *p = malloc(sizeof *p); struct s *q = malloc(16); if (q) q->p = 0; if (p) { kept = p; use(); }",
    "what is there of a structure": "struct slot *p = malloc(4); if (p) p->owner = 1; struct rows *r = malloc(16); if (r) { r->row[1].other = 1; r->row[any() & 1].owner = 1; }",
    "an element of so many": "int *h = malloc(32); if (h) { int i = any() & 7; h[i] = 1; }",
    "one of two": "int *p = any() > 3 ? a : b; p[any() & 3] = 1;",
    "a part by bytes": "char *p = (char *)b; p[any() & 31] = 1;",
    "a structure that is allocated": "struct s *p = malloc(sizeof *p); if (p) { p->n = 1; p->p = 0; }",
    "all bytes": "memset(a, 0, sizeof a); memcpy(b, a, sizeof a);",
    "the middle": "int *p = b + 4; for (int i = -4; i < 4; i++) p[i] = i;",
    "a member through a parameter": "start(&slots[any() & 3]); start(slots + 3);",
    "a member of what a function finds": "find(any() & 3)->owner = 1;",
    "a structure that is copied": "copy_to(&slots[any() & 3]); copy_from(slots + 3);",
    "a row": "first_of(&m[3]); second_in(&rows[any() & 3]);",
    "a floating value": "put_real(&reals[any() & 3]);",
    "a pointer that runs to the end": "for (struct slot *p = slots; p < slots + 4; p++) p->owner = 1;",
    "the end of an array, only compared": "int *end = &a[4]; for (int *p = a; p != end; p++) out++;",
    "atomic operations": "int e = 0; atomic_fetch_add(&hits[any() & 3], 1); atomic_compare_exchange_strong(&hits[3], &e, 1);",
    "the result of a sum": "__builtin_add_overflow(any(), 1, &a[any() & 3]);",
    "a lock": "pthread_mutex_lock(&locks[any() & 1]);",
    "an inner part as a smaller type": "*(char *)&slots[any() & 3].other = 1;",
    "bytes": "memset(text, 1, sizeof text); read(0, text, sizeof text); fwrite(text, 2, 4, stdout);",
    "strings with a limit": 'strncpy(text, "abc", sizeof text); snprintf(text, sizeof text, "%d", any()); fgets(text, 8, stdin);',
    "elements that are sorted": "qsort(a, 4, sizeof *a, order);",
    "a named element of many structures": "struct rows *r[2] = {0}; for (int i = 0; i < 2; i++) r[i] = malloc(sizeof **r); if (r[any() & 1]) { kept = &r[any() & 1]->row[2]; if (r[0] && r[1]) use(); }",
    "one of some texts": 'const char *t = any() ? "short" : "tiny"; sprintf(text, "%s\\n", t); strcpy(text, t);',
    "a number that is printed": 'char wide[32]; sprintf(wide, "%d of %5u%c", any(), 3u, 10); a[any() & 3] = 1;',
}
WITHOUT_CHECKS = {
    "the first member as the whole": "struct slot *p = (struct slot *)&one.owner; p->other = 1;",
    "nothing that is printed": 'out = snprintf(0, 0, "%d", any());',
    "constant strings": 'const char *t = any() ? "x" : "yy"; out = strlen("abc") + strlen(t) + strcmp(t, "z"); puts(t);',
    "a short string that is copied": 'strcpy(text, "short");',
    "a variable": 'int x; sscanf("1", "%d", &x); out = x;',
    "an address": "int *q = &*(a + 4); out = q == a;",
    "operands that are not evaluated": "out = sizeof a[9] + sizeof (slots + 9)->owner;",
}
"""Accesses that are inside whatever happens."""
NEVER_SHOWN = {
    "a lock too many": "pthread_mutex_lock(&locks[2]);",
    "what an atomic operation expects": "int e[1] = {1}; atomic_compare_exchange_strong(&hits[1], &e[1], 1);",
    "a flag too many": "__atomic_test_and_set(&text[8], 5);",
}
"""Accesses that gcc's sanitizers do not look at."""


@pytest.mark.parametrize("name", [*OUTSIDE, *NEVER_SHOWN])
def test_an_access_that_may_be_outside_is_not_proved(name: str) -> None:
    found = decided(START, {**OUTSIDE, **NEVER_SHOWN}[name], "array-bounds")
    assert not all(check.is_safe for check in found)


@pytest.mark.parametrize("name", INSIDE)
def test_an_access_that_is_inside_is_proved(name: str) -> None:
    found = decided(START, INSIDE[name], "array-bounds")
    assert any(check.status == "proved" for check in found)
    assert all(check.is_safe for check in found)


@pytest.mark.parametrize("name", WITHOUT_CHECKS)
def test_an_access_that_cannot_be_outside_has_no_check(name: str) -> None:
    assert {check.status for check in decided(START, WITHOUT_CHECKS[name], "array-bounds")} <= {"unreachable"}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = compiled(START, OUTSIDE, tmp_path_factory.mktemp("bodies"))
    return found if found is not None else pytest.skip("gcc has no sanitizers")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("name", OUTSIDE)
def test_it_is_really_outside(name: str, program: Path) -> None:
    assert fails(program, list(OUTSIDE).index(name))
