"""A null pointer that is moved to the front, as `container_of` does at the end of a list, and back, is null again."""

from __future__ import annotations

import pytest

from tests.frontend.bodies import decided

START = """
#include <assert.h>
#include <stddef.h>
struct node { struct node *next; int v; };
struct row { int pad[3]; struct node n; };
static struct row one, two, *kept;
static struct node *never, *changed;
int any(void);
static struct row *around(struct node *at) { return (struct row *)((char *)at - offsetof(struct row, n)); }
static struct row *picked(int c) { return c ? &one : around(one.n.next); }
"""
MOVED = (
    ("struct row *p = around(one.n.next);", "&p->n"),
    ("struct row *p = around(one.n.next); struct node *q = &p->n;", "q"),
    ("struct row *p = picked(any());", "&p->n"),
    ("struct row *p = &one; if (any()) p = around(0); struct node *q = &p->n;", "q"),
    ("kept = picked(0);", "&kept->n"),
    ("never = 0; if (any()) never = 0; struct row *p = around(never);", "&p->n"),
    ("changed = &two.n; changed = 0; struct row *p = around(changed);", "&p->n"),
    ("struct row *p = around(one.n.next); _Bool b = &p->n;", "b"),
    ("char *p = (char *)0 - 16;", "p + 16"),
    ("char *p = (char *)-1; p++;", "p"),
)


@pytest.mark.parametrize("domain", ["interval", "auto"])
def test_null_moved_to_the_front_and_back_is_null(domain: str) -> None:
    cases = "\n".join(f"case {at}: {{ {text} assert({term}); }} break;" for at, (text, term) in enumerate(MOVED))
    found = decided(START, f"switch (any()) {{\n{cases}\n}}", "assertion", domain=domain)
    assert [check.expression for check in found if check.is_safe] == []
    assert len(found) == len(MOVED)


@pytest.mark.parametrize("domain", ["interval", "auto"])
def test_as_a_number_it_is_one_at_the_end(domain: str) -> None:
    tests = ("(unsigned long)p > 100", "p != 0", "(long)p == -16", "p == (void *)-16")
    cases = "\n".join(f"if (any()) assert(!({test}));" for test in tests)
    for start in ("(struct row *)((char *)0 - 16)", "around(one.n.next)", "picked(0)"):
        found = decided(START, f"struct row *p = {start}; {cases}", "assertion", domain=domain)
        assert [check.expression for check in found if check.is_safe] == []
