"""Objects of which a place makes many: which of their members an access through a pointer of some type may mean.

A pointer that was moved, or converted to another type, may lead to where no member of its type begins. One that was
neither leads to the start of what it says, also where another one into the same object was moved by bytes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.cells import targets
from tests.frontend.bodies import compiled, decided, fails

START = """
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct pair { int first, second; };
struct record { char name[16]; int count, other; long total; struct pair pair; };
struct larger { struct record record; long last; };
static char *moved, *kept;
static long *words;
static void *start;
static struct record *made(void) { struct record *r = calloc(1, sizeof *r); if (!r) exit(0); return r; }
"""
MOVED = "moved = r->name + 1; moved[n] = 1; moved++; *moved = 1;"
PROVED = {
    "a member": f"r->count = 1; {MOVED} assert(r->count <= 1);",
    "a member of a member": f"r->pair.second = 1; {MOVED} assert(r->pair.second <= 1);",
    "a pointer to a member": f"int *p = &r->other; *p = 1; {MOVED} assert(*p <= 1 && r->total == 0);",
    "the start by way of void": f"start = r; {MOVED} r = start; r->count = 1; assert(r->count <= 1 && r->other == 0);",
    "what begins with it": (
        "start = calloc(1, sizeof(struct larger)); if (!start) return 0; struct larger *l = start;"
        " struct record *b = start; b->count = 1; l->last = 2; assert(l->record.count <= 1 && l->last <= 2);"
    ),
}
FAILING = {
    "two members as one": "r->count = 1; words = (long *)&r->count; *words = 0x200000002; assert(r->count <= 1);",
    "by way of void": "r->other = 1; start = &r->count; words = start; *words = 0x200000002; assert(r->other <= 1);",
    "the first member": "r->name[0] = 1; words = (long *)r; *words = 2; assert(r->name[0] <= 1);",
    "the first member by way of void": (
        "start = calloc(1, sizeof(struct record)); if (!start) return 0; r = start; r->name[0] = 1;"
        " words = start; *words = 2; assert(r->name[0] <= 1);"
    ),
    "bytes of the name": "r->name[8] = 1; words = (long *)(r->name + 8); *words = 2; assert(r->name[8] <= 1);",
    "an element": "r->name[8] = 1; words = (long *)&r->name[8]; *words = 2; assert(r->name[8] <= 1);",
    "a moved one that was kept": (
        "kept = (char *)&r->total; kept += 4; int *p = (int *)kept; *p = 2; assert(r->total <= 1);"
    ),
    "an odd place": "kept = (char *)&r->count; kept += 2; int *p = (int *)kept; *p = 0x20002; assert(r->count <= 1);",
    "another structure": "struct pair *p = (struct pair *)&r->total; p->second = 2; assert(r->total <= 1);",
    "a part of a copy": "struct pair p = {2, 2}; memcpy(&r->total, &p, sizeof p); assert(r->total <= 1);",
    "read as another type": "r->total = 0x200000000; int *p = (int *)&r->total; assert(p[1] <= 1);",
    "read by way of void": "r->total = 0x200000002; start = &r->total; int *p = start; assert(*p <= 1);",
}
LOOP = "for (int n = 0; n < 9; n++) { struct record *r = made(); @ }"


def is_proved(body: str) -> bool:
    found = decided(START, LOOP.replace("@", body), "assertion")
    assert found
    return all(check.is_safe for check in found)


@pytest.mark.parametrize("name", PROVED)
def test_a_pointer_that_was_not_moved_leads_to_what_it_says(name: str) -> None:
    assert is_proved(PROVED[name])


@pytest.mark.parametrize("name", FAILING)
def test_one_that_was_converted_may_lead_elsewhere(name: str) -> None:
    assert not is_proved(FAILING[name])


@pytest.mark.parametrize("name", ["by way of void", "the first member by way of void"])
def test_a_defect_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "_may_miss_any", lambda *_: False)
    assert is_proved(FAILING[name])


def test_what_is_open_fails(tmp_path: Path) -> None:
    bodies = {name: LOOP.replace("@", body) for name, body in FAILING.items()}
    program = compiled(START, bodies, tmp_path)
    if program is None:
        pytest.skip("there is no compiler with sanitizers")
    assert [name for at, name in enumerate(bodies) if not fails(program, at)] == []
