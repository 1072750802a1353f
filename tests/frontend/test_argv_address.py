"""Whether a pointer of which nothing is known may lead to the array of arguments: once its address is in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.pipeline import Job, perform
from tests.soundness.budgets import DEFAULT, SMALLEST

LARGE = Budgets(program_commands=-1)

START = """
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct holder { char **of; };
union either { char **of; long n; };
static char **kept, *others[3];
static long number;
void unknown(char **given);
static void clear(char **p) { p[1] = 0; }
static void clear_at(char ***p) { (*p)[1] = 0; }
static void clear_in(struct holder *h) { h->of[1] = 0; }
static void clear_listed(int n, ...) { va_list l; va_start(l, n); va_arg(l, char **)[1] = 0; va_end(l); }
static void *work(void *p) { ((char **)p)[1] = 0; return 0; }
static int clearing(const void *a, const void *b) { *(char **)a = 0; return b != 0; }
static char **keeping(char **p) { static char **k; if (p) k = p; return k; }
"""
FAILING = {
    "kept": "kept = argv; kept[1] = 0;",
    "kept and found": "kept = argv; char ***p = &kept; (*p)[1] = 0;",
    "a number": "long n = (long)argv; ((char **)n)[1] = 0;",
    "a number in memory": "number = (long)argv; ((char **)number)[1] = 0;",
    "a number that is turned": "long n = (long)argv ^ 1; n ^= 1; ((char **)n)[1] = 0;",
    "bytes": "char b[8], **p; memcpy(b, &argv, 8); memcpy(&p, b, 8); p[1] = 0;",
    "text": 'char b[40]; void *p; sprintf(b, "%p", (void *)argv); sscanf(b, "%p", &p); ((char **)p)[1] = 0;',
    "a structure": "struct holder h = {argv}; clear_in(&h);",
    "a union": "union either u; u.of = argv; ((char **)u.n)[1] = 0;",
    "an array": "char **a[2] = {argv, argv}; a[argc & 1][1] = 0;",
    "a parameter": "clear(argv);",
    "its address": "clear_at(&argv);",
    "a list of arguments": "clear_listed(1, argv);",
    "a function that keeps it": "keeping(argv); keeping(0)[1] = 0;",
    "a thread": "pthread_t t; if (!pthread_create(&t, 0, work, argv)) pthread_join(t, 0);",
    "a library function": "qsort(argv, 2, sizeof *argv, clearing);",
    "unknown code": "unknown(argv);",
    "moved": "char **p = argv + 3; p[-2] = 0;",
}
PROVED = {
    "an unknown address": "number = argc; *(char *)number = 1; char **p = (char **)number; if (p) p[1] = 0;",
    "variables": "char **p = argv, **q = p; number = argc; *(char *)number = 1; if (q != p) return 1;",
}


def is_proved(body: str, folder: Path, budgets: Budgets) -> bool:
    """Whether the first argument is not null behind a body, if there is one."""
    path = folder / "a.c"
    text = f"{START}\nint main(int argc, char **argv) {{\nif (argc < 2) return 0;\n{body}\nreturn\n*argv[1];\n}}\n"
    path.write_text(text, encoding="utf-8")
    options = FrontendOptions(properties=("null-dereference",), budgets=budgets)
    found = perform(Job((str(path),), options, AnalysisOptions(domain="interval")), lambda _: None).assertions
    last = [item.status.is_safe for item in found if item.check.line == text.count("\n") - 1]
    assert last
    return all(last)


@pytest.mark.parametrize("budgets", [DEFAULT, SMALLEST], ids=["default", "smallest"])
@pytest.mark.parametrize("name", FAILING)
def test_who_has_the_address_may_write_there(name: str, budgets: Budgets, tmp_path: Path) -> None:
    assert not is_proved(FAILING[name], tmp_path, budgets)


@pytest.mark.parametrize("budgets", [DEFAULT, LARGE], ids=["default", "large"])
@pytest.mark.parametrize("name", PROVED)
def test_nobody_else_does(name: str, budgets: Budgets, tmp_path: Path) -> None:
    assert is_proved(PROVED[name], tmp_path, budgets)
