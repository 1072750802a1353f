"""The address of a local variable of a thread with many instances is a number of an address, whatever its type."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.options import FrontendOptions
from duet.result import Status
from tests.frontend.running import statuses

START = """#include <pthread.h>
#include <assert.h>
struct a { int n; long m; };
struct b { int n; long m; int *more; };
static void *kept;
static int set(struct b *q) { if (!q) return 1; q->n = 1; q->m = 2; return 0; }
static int is_large(unsigned long address) { return address > 5; }
"""
MAIN = "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, work, 0); return 0; }"
FALSE = {
    "a structure": "struct a x; kept = &x; int r = set((struct b *)&x); assert(r == 7);",
    "a number": "int x = 0; kept = &x; int r = is_large((unsigned long)&x); assert(r == 0);",
    "a byte": "char x = 0; kept = &x; int r = is_large((unsigned long)&x); assert(r == 0);",
    "an array": "struct a x[3]; kept = x; int r = set((struct b *)&x[1]); assert(r == 7);",
}


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_is_not_proved(tmp_path: Path, name: str) -> None:
    """The assertion fails whenever a thread gets there, as the address of a variable is not null and large."""
    text = f"{START}static void *work(void *unused) {{ {FALSE[name]} return 0; }}\n{MAIN}\n"
    options = FrontendOptions(properties=("assertion", "null-dereference"))
    *pointers, last = statuses(tmp_path / "a.c", text, options)  # without what no thread gets to
    assert (len(pointers), last) == (2 if "set(" in FALSE[name] else 0, Status.UNPROVED)
    assert set(pointers) <= {Status.PROVED}
