"""What the program finds out of an address, or functions calculate of one, code that is not there may find anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.cells import hidden
from tests.frontend.running import are_proved, fails

START = """#include <assert.h>
#include <endian.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <wchar.h>
typedef uint32_t four __attribute__((vector_size(16)));
union both { float f[4]; uint32_t n[4]; unsigned char c[16]; };
struct bits { uint64_t low : 32, high : 32; };
void use(uint64_t), halves(uint32_t, uint32_t), low(uint32_t), asked(void), look(void), given_list(int, va_list);
void given_file(FILE *), calls(uint64_t (*)(void)), bits(struct bits), behind(void *), keeps(uint64_t *);
extern uint64_t elsewhere;
static int x = 1, *at[2] = {&x}; static uint64_t own; static jmp_buf place;
static uint64_t tell(void) { return own; }
static void list(int n, ...) { va_list l; va_start(l, n); given_list(n, l); va_end(l); }
static int half(void *at) { return (int)(uint64_t)&x; }
static int part(void) {
  thrd_t t; int n = 0; if (thrd_create(&t, half, 0) == thrd_success) thrd_join(t, &n); return n; }
static four same(four v) { return v; }
int main(void) { uint64_t n = (uint64_t)&x, m = 0;
"""
END = " assert(x == 1); return 0; }\n"
OTHER = """#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct bits { uint64_t low : 32, high : 32; };
uint64_t elsewhere; static uint64_t *kept;
void use(uint64_t n) { *(int *)n = 5; }
void halves(uint32_t low, uint32_t high) { use((uint64_t)high << 32 | low); }
void low(uint32_t n) { halves(n, (uint64_t)&elsewhere >> 32); }
void given_list(int n, va_list l) { use(va_arg(l, uint64_t)); }
void given_file(FILE *f) { uint64_t n; fscanf(f, "%lu", &n); use(n); }
void asked(void) { low(errno); }
void look(void) { use(elsewhere ? elsewhere : kept ? *kept : strtoul(getenv("S"), 0, 10)); }
void calls(uint64_t (*f)(void)) { use(f()); }
void bits(struct bits b) { halves(b.low, b.high); }
void behind(void *p) { use(*(uint64_t *)p); }
void keeps(uint64_t *n) { kept = n; }
"""
CALCULATED = {
    "divided": "use(ldiv((long)n, 1).quot);",
    "swapped": "use(__builtin_bswap64(__builtin_bswap64(n)));",
    "swapped by a macro": "use(htobe64(htobe64(n)));",
    "added": "__builtin_add_overflow(n, 0ul, &m); use(m);",
    "multiplied": "__builtin_umull_overflow(n, 1ul, &m); use(m);",
    "halves that are subtracted": "uint32_t r; __builtin_sub_overflow((uint32_t)n, 0, &r); low(r);",
    "a date": "struct tm t; time_t k = (long)n; if (gmtime_r(&k, &t)) use((uint64_t)timegm(&t));",
    "a floating number": "use((uint64_t)ldexp((double)n, 0));",
    "the value of a jump": "if (!(m = setjmp(place))) longjmp(place, (int)n); low(m);",
    "the result of a thread": "low(part());",
    "where a file is": "FILE *f = tmpfile(); if (!f) return 0; fseek(f, (long)n, SEEK_SET); use(ftell(f));",
    "wide characters": "wchar_t w[2] = {(wchar_t)n}, v[2]; wcscpy(v, w); low(v[0]);",
    "wide characters in the heap": "wchar_t w[2] = {(wchar_t)n}, *v = wcsdup(w); if (v) low(v[0]);",
    "text of a half": "uint32_t h = (uint32_t)n; char t[5] = {0}; strncpy(t, (char *)&h, 4); memcpy(&h, t, 4); low(h);",
    "elements of a vector": "four v; memcpy(&v, &n, 8); low(v[0]);",
    "elements of a copy": "four v = *(four *)at; low(v[0]);",
    "elements of a result": "low(same(*(four *)at)[0]);",
    "a sum of vectors": "four v; memcpy(&v, &n, 8); v = v + (four){0}; uint32_t r[4]; memcpy(r, &v, 16); low(r[0]);",
    "a vector in an array": "four v = *(four *)at; uint32_t r[4]; *(four *)r = v; halves(r[0], r[1]);",
    "a vector as an array": "four v = *(four *)at, w = v; halves(((uint32_t *)&w)[0], ((uint32_t *)&w)[1]);",
    "a union": "union both b = *(union both *)at; for (int i = 0; i < 8; i++) m |= (uint64_t)b.c[i] << 8 * i; use(m);",
    "a union in an array": "uint32_t r[4]; *(union both *)r = *(union both *)at; halves(r[0], r[1]);",
    "the length of an array": "int (*a)[n] = 0; use(sizeof *a / sizeof(int));",
}
"""Where the program itself, or a function of the library, makes another number of one."""
FIND = "for (int i = 47; i >= 0; i--) if ((char *)(m + (1ul << i)) <= (char *)&x) m += 1ul << i;"
FOUND = {
    "given": "use(m);",
    "in a list": "list(1, m);",
    "in a file": 'FILE *f = tmpfile(); if (!f) return 0; fprintf(f, "%lu", m); rewind(f); given_file(f);',
    "in the environment": 'char t[30]; sprintf(t, "%lu", m); setenv("S", t, 1); look();',
    "in an error number": "errno = (int)m; asked();",
    "in a variable": "elsewhere = m; look();",
    "in memory": "keeps(&own); own = m; look();",
    "told by a function": "own = m; calls(tell);",
    "in a structure": "bits((struct bits){m, m >> 32});",
    "in bytes": "unsigned char c[8]; memcpy(c, &m, 8); behind(c);",
}
"""What is done with a number that the program has found out by comparing."""
PROGRAMS = CALCULATED | {f"found, {name}": FIND + body for name, body in FOUND.items()}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_made_of_addresses_tells_where_they_are(name: str, tmp_path: Path) -> None:
    assert not are_proved(tmp_path / "a.c", START + PROGRAMS[name] + END, ("assertion",), "interval")


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_fails_does(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(START + PROGRAMS[name] + END, encoding="utf-8")
    assert fails(tmp_path / "a.c", OTHER)


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        ("take_apart_value", "divided"),
        ("take_apart_value", "the length of an array"),
        ("take_apart", "elements of a copy"),
        ("note_bytes", "wide characters"),
        ("note_behind", "a vector in an array"),
        ("take_bytes", "a vector as an array"),
        ("take_overlaid", "a union"),
        ("note_compared", "found, in a file"),
    ],
)
def test_numbers_that_nobody_notes_are_noticed(
    rule: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hidden, rule, lambda *_: None)
    assert are_proved(tmp_path / "a.c", START + PROGRAMS[name] + END, ("assertion",), "interval")
