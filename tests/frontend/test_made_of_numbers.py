"""A pointer that is made of a number is any where it is followed; where it becomes a number again it tells no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.cells import convert
from duet.frontend.ctypes.origins import EXTERNAL
from tests.frontend.running import are_proved

START = """#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
void assert(int); long any(void), told(int *), asked(void); void shown(int *), filled(long *);
struct given { long n; int *p; } given(int *);
int open = 1; static int s = 1, other, *at = &s; static uintptr_t kept; static char text[300];
union both { int *p; uintptr_t n; unsigned char byte[8]; uint32_t half[2]; };
struct number { uintptr_t n; }; struct pointer { int *p; }; struct bits { uint64_t n : 60; };
static uintptr_t passed(int count, ...) {
  va_list list; va_start(list, count); uintptr_t n = va_arg(list, uintptr_t); va_end(list); return n; }
static uintptr_t parsed(const char *t) { uintptr_t n = 0; while (*t) n = n * 10 + (*t++ - '0'); return n; }
static void keep(int *p) { kept = (uintptr_t)p; }
static void set(long n) { *(int *)n = 2; }
static long found(void) { return (long)at; }
static int *back(void) { return at; }
static void *body(void *a) { *(int *)(uintptr_t)a = 2; return 0; }
static void *boxed(void *a) { *(int *)kept = 2; return 0; }
static void *gives(void *a) { return at; }
static void hit(void) { s = 2; }
static int same(const void *a, const void *b) { return 0; }
static void on(int n) { s = 2; }
static void told_by(int n, siginfo_t *info, void *c) { *(int *)(uintptr_t)info->si_value.sival_ptr = 2; }
static void carried(int n, siginfo_t *info, void *c) { *(int *)info->si_value.sival_ptr = 2; }
static void where(int n, siginfo_t *info, void *c) { *(int *)info->si_addr = 2; }
int main(int count, char **values) {
  unsigned char *b = (unsigned char *)&at; uintptr_t n = 0; union both u, w; pthread_t t; int fds[2], c; double d;
"""
WRITTEN = " if (n) *(int *)n = 2;"
END = " assert(s == 1); return 0; }\n"
EXPOSING = {
    "a cast": "n = (uintptr_t)&s;",
    "arithmetic": "n = (uintptr_t)&s * 2; n /= 2;",
    "a mask": "n = (uintptr_t)at ^ 77; n ^= 77;",
    "a function": "keep(&s); n = kept;",
    "a union": "u.p = &s; n = u.n;",
    "halves": "u.p = &s; w.half[0] = u.half[0]; w.half[1] = u.half[1]; n = w.n;",
    "a pointer in a union": "u.n = (uintptr_t)&s; *u.p = 2;",
    "bytes in a union": "for (int i = 0; i < 8; i++) u.byte[i] = b[i]; *u.p = 2;",
    "text in a union": 'sprintf(text, "%p", (void *)&s); u.n = strtoull(text, 0, 16); *u.p = 2;',
    "a copy": "memcpy(&n, &at, 8);",
    "another type": "n = *(uintptr_t *)&at;",
    "another structure": "struct pointer p = {&s}; n = ((struct number *)&p)->n;",
    "bytes": "for (int i = 7; i >= 0; i--) n = n << 8 | b[i];",
    "bits": "for (int i = 0; i < 48; i++) if ((uintptr_t)at & 1ul << i) n += 1ul << i;",
    "parts": "n = (uint32_t)(uintptr_t)at; n |= (uintptr_t)(uint32_t)((uintptr_t)at >> 32) << 32;",
    "a bit-field": "struct bits f; f.n = (uintptr_t)at; n = f.n;",
    "text": 'sprintf(text, "%p", (void *)at); n = strtoull(text, 0, 16);',
    "text that is read": 'sprintf(text, "%lx", (long)at); sscanf(text, "%lx", &n);',
    "text that the program reads": 'sprintf(text, "%lu", (long)at); n = parsed(text);',
    "the environment": 'sprintf(text, "%lu", (long)at); setenv("S", text, 1); n = strtoul(getenv("S"), 0, 10);',
    "a distance": "n = (uintptr_t)&other + ((char *)&s - (char *)&other);",
    "from null": "n = (char *)at - (char *)0;",
    "moved from null": "char *null = 0; n = (uintptr_t)(null + (uintptr_t)at);",
    "variable arguments": "n = passed(1, &s);",
    "a parameter": "((void (*)(int *))set)(&s);",
    "a result": "n = ((long (*)(void))back)();",
    "a pipe": "pipe(fds); write(fds[1], &at, 8); read(fds[0], &n, 8);",
    "a file": "FILE *f = tmpfile(); fwrite(&at, 8, 1, f); rewind(f); fread(&n, 8, 1, f);",
    "a file of text": 'FILE *f = tmpfile(); fprintf(f, "%p", (void *)at); rewind(f); fscanf(f, "%lx", &n);',
    "a floating number": "memcpy(&d, &at, 8); memcpy(&n, &d, 8);",
    "an array": "uintptr_t a[2] = {0, (uintptr_t)at}; qsort(a, 2, 8, same); n = a[0] ? a[0] : a[1];",
    "the heap": "uintptr_t *h = malloc(8); *h = (uintptr_t)at; h = realloc(h, 64); n = *h;",
    "an argument of a thread": "pthread_create(&t, 0, body, at); pthread_join(t, 0);",
    "a thread that looks": "kept = (uintptr_t)at; pthread_create(&t, 0, boxed, 0); pthread_join(t, 0);",
    "the result of a thread": "pthread_create(&t, 0, gives, 0); pthread_join(t, (void **)&n);",
    "a guess that is compared": "n = any(); if ((int *)n != &s) return 0;",
    "a guess of a number": "n = any(); if (n != (uintptr_t)&s) return 0;",
    "bytes that are compared": "for (int i = 0; i < 8; i++) for (int v = 0; v < 256; v++) { unsigned char x = v;"
    " if (!memcmp(b + i, &x, 1)) n |= (uintptr_t)v << 8 * i; }",
    "a length": "for (int i = 0; i < 8; i++) { memset(text, 'x', 299); text[b[i]] = 0; n |= strlen(text) << 8 * i; }",
    "where something is": "for (int i = 0; i < 8; i++) { char *e = text + b[i]; n |= (e - text) << 8 * i; }",
    "a function that is a number": "((void (*)(void))(uintptr_t)hit)();",
    "a function in text": 'sprintf(text, "%p", (void *)hit); ((void (*)(void))strtoull(text, 0, 16))();',
    "what an unknown function is given": "n = told(&s); s = 1;",
    "what another one has": "shown(&s); n = asked(); s = 1;",
    "what it writes": "long m; shown(&s); filled(&m); n = m; s = 1;",
    "what it returns": "n = given(&s).n; s = 1;",
    "what is given in memory": "n = (char *)at - (char *)0; filled((long *)&n); n = 0;",
    "what is found out and given in memory": "for (int i = 47; i >= 0; i--)"
    " if ((char *)(n + (1ul << i)) <= (char *)&s) n += 1ul << i;"
    " int *q = (int *)n; kept = (uintptr_t)q; filled((long *)&kept); n = 0;",
    "halves that are found out and given in memory": "for (int i = 47; i >= 0; i--)"
    " if ((char *)(n + (1ul << i)) <= (char *)&s) n += 1ul << i; int *q = (int *)n; n = (uintptr_t)q;"
    " uint32_t h[2] = {(uint32_t)n, (uint32_t)(n >> 32)}; shown((int *)h); n = 0;",
    "bytes that are found out and given in memory": "for (int i = 0; i < 8; i++) for (int v = 0; v < 256; v++) {"
    " unsigned char x = v; if (!memcmp(b + i, &x, 1)) n |= (uintptr_t)v << 8 * i; } filled((long *)&n); n = 0;",
    "a signal": "struct sigaction a = {.sa_sigaction = told_by, .sa_flags = SA_SIGINFO}; sigaction(SIGUSR1, &a, 0);"
    " union sigval v = {.sival_ptr = at}; sigqueue(getpid(), SIGUSR1, v);",
}
"""Where `n` is the address of `s` then, unless the program has written `s` itself."""
HANDLING = {
    "what a signal carries": "struct sigaction a = {.sa_sigaction = carried, .sa_flags = SA_SIGINFO};"
    " sigaction(SIGUSR1, &a, 0); union sigval v = {.sival_ptr = &s}; sigqueue(getpid(), SIGUSR1, v);",
    "where memory was accessed": "struct sigaction a = {.sa_sigaction = where, .sa_flags = SA_SIGINFO};"
    " sigaction(SIGSEGV, &a, 0);",
    "one that is given": "struct sigaction a = {.sa_handler = on}; sigaction(SIGUSR1, &a, 0); raise(SIGUSR1);",
    "one of two": "struct sigaction a[2] = {{.sa_handler = SIG_IGN}, {.sa_handler = on}};"
    " sigaction(SIGUSR1, &a[count > 1], 0); raise(SIGUSR1);",
    "a copy": "struct sigaction a = {.sa_handler = on}, e; memcpy(&e, &a, sizeof a); sigaction(SIGUSR1, &e, 0);",
    "the one before": "struct sigaction a = {.sa_handler = on}, e; sigaction(SIGUSR1, &a, 0);"
    " sigaction(SIGUSR1, 0, &e); s = 1; e.sa_handler(1);",
    "by a pointer": "struct sigaction a = {.sa_handler = on}; int (*f)(int, const struct sigaction *,"
    " struct sigaction *) = sigaction; f(SIGUSR1, &a, 0);",
    "flags": "struct sigaction e = {.sa_flags = 4}; sigaction(SIGUSR1, 0, &e); s = e.sa_flags == 4;",
    "a name": "char name[17] = \"x\"; prctl(PR_GET_NAME, name); s = name[0] == 'x';",
    "a number of the system": "int m = 1; prctl(PR_GET_PDEATHSIG, &m); s = m;",
}
GUESSED = {
    "an input": "n = count;",
    "an index": "for (n = 0; n < count; n++) if (any()) break;",
    "a result": "n = any();",
    "text": "n = strtoul(values[0], 0, 10);",
    "by another type": "n = any(); char *c = (char *)n; *c = 2;",
    "moved": "n = any(); int *q = (int *)n + 1; *q = 2;",
    "in a structure": "struct pointer p = {(int *)any()}; *p.p = 2;",
    "in a structure that is copied": "struct pointer p = {(int *)any()}, q; memcpy(&q, &p, sizeof p); *q.p = 2;",
    "in the heap": "int **h = malloc(8); if (!h) return 0; *h = (int *)any(); **h = 2;",
    "for a library": "n = any(); memset((void *)n, 0, 4);",
    "for a function that is not there": "n = any(); shown((int *)n);",
    "behind what such a function is given": "struct pointer p = {(int *)any()}; shown((int *)&p);",
    "in an argument": "pthread_create(&t, 0, body, (void *)any()); pthread_join(t, 0);",
    "what was kept outside": "static struct pointer p; p.p = (int *)any(); shown((int *)&p); *p.p = 2;",
    "given back": "n = any(); free((void *)n); s = 2;",
    "called": "static void (*volatile f)(void) = hit; ((void (*)(void))any())();",
    "a union": "u.n = any(); *u.p = 2;",
    "a loop": "int *q = 0; for (int i = 0; i < count; i++) q = q ? q + any() : (int *)any(); if (q) *q = 2;",
    "an atomic one": "_Atomic(int *) q = (int *)any(); *q = 2;",
    "a choice": "int *q = any() ? (int *)any() : &other; *q = 2;",
    "there and back": "n = (uintptr_t)(void *)any(); *(int *)n = 2;",
}
"""Pointers that are followed: they may lead to `s`."""
TOLD = {
    "a handler that does not look at what it is told": "struct sigaction a = {.sa_sigaction = ignored,"
    " .sa_flags = SA_SIGINFO}; sigaction(SIGSEGV, &a, 0); int **q = (int **)localeconv(); if (q) **q = 2;",
    "an index in a thread": "pthread_create(&t, 0, prints, (void *)(intptr_t)count); pthread_join(t, 0);",
    "an input": 'void *p = (void *)count; printf("%ld", (long)p); asked();',
    "a number that is given away": "void *p = (void *)count; told_number((long)p); asked();",
    "in the heap": "struct pointer *h = malloc(8); if (!h) return 0; h->p = (int *)count; told_number((long)h->p);",
    "as another pointer": "int *p = (int *)count; char *q = (char *)p; told_number((uintptr_t)q / 2); asked();",
    "a global variable": "kept_pointer = (void *)count; told_number((long)kept_pointer); asked();",
}
"""Such pointers that become numbers again: what code that is not there does with these does not change `s`."""
UNUSED = ("static void keep", "static void set", "static long found", "static void *boxed", "static void told_by")
"""What says where something is, if it is there."""
ASSERTION = ("assertion",)
PRINTING = """void told_number(long); static void *kept_pointer;
static void ignored(int n, siginfo_t *info, void *c) { if (n == 1) told_number(n); }
static void *prints(void *a) { long id = (intptr_t)a; printf("%ld", id); told_number(id); return 0; }
"""


@pytest.mark.parametrize("name", EXPOSING)
def test_numbers_made_of_addresses_lead_there(name: str, tmp_path: Path) -> None:
    assert not are_proved(tmp_path / "a.c", START + EXPOSING[name] + WRITTEN + END, ASSERTION, "interval")


@pytest.mark.parametrize("name", HANDLING)
def test_handlers_are_called_and_what_is_told_is_written(name: str, tmp_path: Path) -> None:
    assert not are_proved(tmp_path / "a.c", START + HANDLING[name] + END, ASSERTION, "interval")


def text_of(body: str) -> str:
    """A program that says nothing of where `s` is, but that its address is taken."""
    begin = START.replace("b = (unsigned char *)&at", "b = 0").replace("*at = &s", "*volatile at = &s")
    begin = "\n".join(line for line in begin.splitlines() if not line.startswith(UNUSED))
    return begin.replace("int main", f"{PRINTING}int main") + "\n" + body


@pytest.mark.parametrize("name", GUESSED)
def test_guessed_numbers_lead_anywhere(name: str, tmp_path: Path) -> None:
    assert not are_proved(tmp_path / "a.c", text_of(GUESSED[name]) + WRITTEN + END, ASSERTION, "interval")


@pytest.mark.parametrize("name", TOLD)
def test_they_tell_of_nothing(name: str, tmp_path: Path) -> None:
    assert are_proved(tmp_path / "a.c", text_of(TOLD[name]) + END, ASSERTION, "interval")


def test_numbers_that_lead_nowhere_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convert, "MADE_OF_NUMBER", frozenset((EXTERNAL,)))
    assert are_proved(tmp_path / "a.c", text_of(GUESSED["an input"]) + WRITTEN + END, ASSERTION, "interval")
