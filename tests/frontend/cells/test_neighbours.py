"""That writes of bit-fields lose nothing of those next to them is an assumption where threads write both."""

from __future__ import annotations

import pytest

from duet.frontend.cells.neighbours import ASSUMED
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import FrontendOptions

TEXT = """typedef unsigned long pthread_t; int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
void *calloc(unsigned long, unsigned long);
struct flags { unsigned a : 1, b : 1; unsigned : 0; unsigned c : 3; int d; } f, many[3], *h;
void *work(void *x) { WORK; return 0; }
int main(int n, char **v) { pthread_t t, s; h = calloc(1, sizeof *h); if (!h) return 1; for (int i = 0; i < START; i++)
 pthread_create(&t, 0, work, 0); MAIN; return 0; }
"""
CASES = {
    "neighbours": ("f.a = 1", "f.b = 1", 1, True),
    "one of each": ("f.a = 1", "f.a = 0", 1, False),
    "only read": ("f.a = 1", "n = f.b", 1, False),
    "behind one of no width": ("f.a = 1", "f.c = 1", 1, False),
    "no bit-field": ("f.c = 1", "f.d = 1", 1, False),
    "several threads": ("f.a = 1; f.b = 1", "", 2, True),
    "one thread": ("f.a = 1; f.b = 1", "", 1, False),
    "of the heap": ("h->a = 1", "h->b = 1", 1, True),
    "of elements": ("many[1].a = 1", "many[n % 3].b = 1", 1, True),
    "operations": ("f.a++", "f.b |= 1", 1, True),
}


@pytest.mark.parametrize("name", CASES)
def test_the_assumption_is_told_where_it_is_made(name: str) -> None:
    work, main, started, expected = CASES[name]
    text = TEXT.replace("WORK", work).replace("MAIN", main).replace("START", str(started))
    for asked in (True, False):
        properties = ("assertion", "data-race") if asked else ("assertion",)
        options = FrontendOptions(properties=properties)
        found = lower(parse(text, "program.c", options), options).assumptions
        assert any(item.startswith(ASSUMED) for item in found) is (expected and not asked)
