"""Memory that becomes 0 in a number of bytes that is not known: pointers there are what some were before, or null."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.options import FrontendOptions
from duet.result import Status
from tests.frontend.running import statuses

START = """#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern int any(void);
struct target { int n, m; } first = {1, 1}, second = {1, 1}, beside = {1, 1};
struct target *kept = &beside;
struct holder { struct target *to; long count; void (*call)(void); };
static void note(void) { beside.n = 5; }
static struct holder *make(int n) { struct holder *all = calloc(n, sizeof *all); if (!all) exit(1); return all; }
"""
TRUE = {
    "what a pointer led to before": (
        "struct holder *all = make(any()); all->to = &first; memset(all + 1, 0, sizeof *all * any());"
        " if (all->to) all->to->n = 5; assert(beside.n == 1);"
    ),
    "what one of two led to": (
        "struct holder *all = make(any()); all[0].to = &first; all[any()].to = &second; bzero(all, any());"
        " if (all->to) all->to->n = 5; assert(beside.n == 1);"
    ),
}
FALSE = {
    "another byte": (
        "struct holder *all = make(any()); all->to = &first; memset(all, 1, any());"
        " if (all->to) all->to->n = 5; assert(beside.n == 1);"
    ),
    "a byte that is not known": (
        "struct holder *all = make(any()); all->to = &first; memset(all, any(), any());"
        " if (all->to) all->to->n = 5; assert(beside.n == 1);"
    ),
    "the same": (
        "struct holder *all = make(any()); all->to = &beside; memset(all, 0, any());"
        " if (all->to) all->to->n = 5; assert(beside.n == 1);"
    ),
    "one that is stored behind": (
        "struct holder *all = make(any()); all->to = &first; memset(all, 0, any()); all[any()].to = kept;"
        " if (all->to) all->to->n = 5; assert(beside.n == 1);"
    ),
    "a number": "struct holder *all = make(9); all->count = 7; memset(all, 0, any()); assert(all->count == 7);",
    "another object of two": (
        "struct holder *all = make(9), *other = make(9); all->to = &first; other->to = &beside;"
        " memset(any() ? all : other, 0, any()); if (other->to) other->to->n = 5; assert(beside.n == 1);"
    ),
    "a function": (
        "struct holder *all = make(9); all->call = note; memset(all, 0, any());"
        " if (all->call) all->call(); assert(beside.n == 1);"
    ),
    "an address in a number": (
        "struct holder *all = make(9); all->count = (long)&beside; memset(all + 1, 0, any());"
        " ((struct target *)all->count)->n = 5; assert(beside.n == 1);"
    ),
    "bytes of a pointer": (
        "char all[64]; struct target *to = &beside; memcpy(all + 8, &to, 8); memset(all, 0, any() & 7);"
        " memcpy(&to, all + 8, 8); if (to) to->n = 5; assert(beside.n == 1);"
    ),
}
NULL = "struct holder *all = make(9); all->to = &first; memset(all, 0, any()); all->to->n = 5;"
INSIDE = "struct holder *all = make(9); all->to = &first; memset(all, 0, any()); if (all->to) all->to->m = 5;"


@pytest.mark.parametrize("name", TRUE)
def test_nothing_else_changes(tmp_path: Path, name: str) -> None:
    assert statuses(tmp_path / "a.c", f"{START}int main(void) {{ {TRUE[name]} }}") == (Status.PROVED,)


@pytest.mark.parametrize("name", FALSE)
def test_what_it_leads_to_may_change(tmp_path: Path, name: str) -> None:
    assert statuses(tmp_path / "a.c", f"{START}int main(void) {{ {FALSE[name]} }}") != (Status.PROVED,)


@pytest.mark.parametrize(("body", "wanted"), [(NULL, "null-dereference"), (INSIDE, "array-bounds")])
def test_it_may_be_null_or_moved(tmp_path: Path, body: str, wanted: str) -> None:
    options = FrontendOptions(properties=(wanted,))
    assert Status.UNPROVED in statuses(tmp_path / "a.c", f"{START}int main(void) {{ {body} }}", options)
