"""Strings in arrays of characters that are variables or members of these: what may make them go on, and what not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.frontend.cells import last_bytes
from duet.options import AnalysisOptions, FrontendOptions
from duet.reading import read

_READS = re.compile("strlen|strncpy\\(into|printf")
START = """#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct inner { char a[8]; };
struct outer { int n; char a[8]; struct inner in; char b[8]; };
struct mixed { union { char c[4]; int i; } u; char b[4]; char d[4]; };
static char a[8] = "abcdefg", rows[2][8];
static struct mixed m;
static struct { char c; } ones[4] = {{'a'}, {'b'}, {'c'}, {'d'}};
static char single[4][1] = {{'a'}, {'b'}, {'c'}, {'d'}};
static union { char c; signed char s; } either[4] = {{'a'}, {'b'}, {'c'}, {'d'}};
struct bits { unsigned char low : 4, high : 4; };
static _Alignas(16) char locked[40];
static struct outer g;
static int length(const char *s) { return (int)strlen(s); }
static void put(char *p, int n) { for (int i = 0; i < n; i++) p[i] = 'x'; }
static void *fill(void *p) { put(p, 8); return 0; }
static void handle(int s) { a[7] = 'x'; }
"""
FALSE = {
    "a store": "a[7] = 'x'; length(a);",
    "an index": "int i = argc + 6; if (i >= 0 && i < 8) a[i] = 'x'; length(a);",
    "a moved pointer": "char *p = a; p += 7; *p = 'x'; length(a);",
    "a loop": "for (char *p = a; p < a + 8; p++) *p = 'x'; length(a);",
    "a wider store": "*(int *)(a + 4) = -1; length(a);",
    "memset": "memset(a, 'x', argc + 7); length(a);",
    "memcpy": 'memcpy(a, "12345678", 8); length(a);',
    "strncpy": 'strncpy(a, "1234567890", 8); length(a); a[7] = 0;',
    "a function": "put(a, 8); length(a);",
    "a function behind the start": "put(a, 7); put(a + 4, 4); length(a);",
    "a thread": "pthread_t t; pthread_create(&t, 0, fill, a); pthread_join(t, 0); length(a);",
    "a handler": "signal(SIGUSR1, handle); raise(SIGUSR1); length(a);",
    "a member": "memset(g.a, 'x', 8); length(g.a); memset(g.in.a, 'x', 8); memset(g.b, 'x', 8);",
    "the last member": "memset(g.b, 'x', 8); length(g.b);",
    "a structure": "struct outer l; memset(&l, 'x', sizeof l); g = l; length(g.b);",
    "a structure, by bytes": "char l[sizeof g]; memset(l, 'x', sizeof l); memcpy(&g, l, sizeof l); length(g.b);",
    "a pointer to a structure": "struct outer *p = &g; put(p->b, 8); length(g.b);",
    "a pointer of another type": "char *p = (char *)&g; put(p, (int)sizeof g); length(g.b);",
    "another row": "a[0] = 0; rows[argc & 1][7] = 'x'; put(rows[argc & 1], 7); length(rows[1]);",
    "all rows": "memset(rows, 'x', 16); length(rows[0]);",
    "read": "read(0, a, 8); length(a);",
    "%c": 'sscanf("x", "%c", &a[7]); length(a);',
    "behind sprintf": 'a[sprintf(a, "%s", "1234567")] = \'x\'; length(a);',
    "behind strlen": "a[strlen(a)] = 'x'; length(a);",
    "exchanged": "char c = a[0]; a[0] = a[7]; a[7] = c; a[0] = 'q'; length(a);",
    "added": "a[7]++; length(a);",
    "atomic": "__atomic_store_n(&a[7], 'x', 5); length(a);",
    "asm": 'asm volatile("movb $1, %0" : "=m"(a[7])); length(a);',
    "a number that becomes a pointer": "unsigned long u = (unsigned long)a; *(char *)(u + 7) = 'x'; length(a);",
    "a limit behind the end": "char into[64]; put(a, 8); strncpy(into, a, 60); memset(a, 0, 8);",
    "structures of one byte": "length((char *)ones);",
    "rows of one byte": "length((char *)single);",
    "unions of one byte": "length((char *)either);",
    "a bit-field": "memset(a, 'x', 8); ((struct bits *)(a + 7))->low = 0; length(a);",
    "behind the ends of both": "char *p = argc > 5 ? a : rows[0]; p += 16 * argc; length(p);",
    "in front of both": "char *p = argc > 5 ? a : rows[0]; p -= argc; length(p);",
    "a lock": "pthread_mutex_lock((pthread_mutex_t *)locked); length(locked);",
    "bytes from a union into the member behind it": "memset(m.u.c, 'x', 12); length(m.b);",
    "from a union, by a pointer to the structure": "struct mixed *p = &m; memset(p->u.c, 'x', 12); length(m.b);",
    "a string from a union into the member behind it": (
        'sprintf(m.u.c, "%s", "123456789"); memset(m.d, \'x\', 4); length(m.b);'
    ),
    "by a pointer to an array": "char (*p)[8] = argc ? &g.in.a : (char (*)[8])&g; memset(*p, 'x', 28); length(g.b);",
    "a string from one member through the next": (
        'char *p = g.a; strcpy(p, "12345678901234567890"); put(g.b, 8); length(g.in.a);'
    ),
}
TRUE = {
    "with what it began": "length(a); length(rows[argc & 1]); length(g.b);",
    "shorter than the array": 'strncpy(a, argv[0], sizeof a - 1); length(a); printf("%s", a);',
    "ended behind it": "strncpy(g.b, argv[0], sizeof g.b); g.b[sizeof g.b - 1] = 0; length(g.b);",
    "printed": 'snprintf(g.a, sizeof g.a, "%s-%d", "name", argc); length(g.a);',
    "an index below the last": "for (int i = 0; i < 7; i++) a[i] = (char)argc; length(a);",
    "a pointer below the last": "for (char *p = a; p < a + 7; p++) *p = (char)argc; length(a);",
    "nulls": "memset(a, 'x', 8); memset(a, 0, sizeof a); length(a);",
    "other members": "g.n = -1; memset(g.a, 'x', 8); length(g.b);",
    "a scan": 'sscanf(argv[0], "%7s", a); length(a);',
    "read, but for the last": "read(0, a, sizeof a - 1); length(a);",
    "from somewhere in it": "length(a + argc % 8);",
    "a limit": "char into[64]; strncpy(into, a, 60);",
    "in either": "char *p = argc > 5 ? a : rows[0]; while (*p == ' ') p++; length(p);",
    "a lock elsewhere": "static pthread_mutex_t m; pthread_mutex_lock(&m); length(a);",
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "a.c"


def test_what_goes_on_behind_an_array_by_a_pointer_to_it_is_not_proved(source: Path) -> None:
    body = "char (*p)[8] = argc > 9 ? &g.in.a : &g.a; memset(*p, 'x', 24); strlen(g.b);"
    assert not _are_proved(source, body, asking=re.compile("memset"))


def _are_proved(source: Path, body: str, domain: str = "interval", asking: re.Pattern[str] = _READS) -> bool:
    """Whether all strings of a program are known to end, those that it reads as well as those that it copies."""
    source.write_text(f"{START}int main(int argc, char **argv) {{\n{body} return 0; }}\n", encoding="utf-8")
    found = read((str(source),), FrontendOptions(properties=("array-bounds",)), Clock())
    analysis = analyse(found.program, AnalysisOptions(domain=domain))
    asked = [one for one in assertions(analysis, found.checks) if asking.search(one.check.expression)]
    assert asked
    return all(one.status.is_safe for one in asked)


@pytest.mark.parametrize("name", FALSE)
def test_what_goes_on_is_not_proved(name: str, source: Path) -> None:
    assert not _are_proved(source, FALSE[name])


@pytest.mark.parametrize("name", TRUE)
def test_what_ends_is_proved(name: str, source: Path) -> None:
    assert _are_proved(source, TRUE[name])


DEFECTS = {
    "writes go unseen": ("a moved pointer", "note_write", lambda *_: None),
    "strings stay where they begin": ("a string from one member through the next", "note_text", lambda *_: None),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_noticed(name: str, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case, where, seeded = DEFECTS[name]
    monkeypatch.setattr(last_bytes, where, seeded)
    assert _are_proved(source, FALSE[case])
