"""Any number of threads that make objects, show them, and read those of others: do two members belong together?"""

from __future__ import annotations

from collections.abc import Callable
from unittest.mock import patch

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.judgments import published
from duet.frontend.judgments.families import Thread
from duet.frontend.judgments.published import _Absent, _Member, _Reads
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import AnalysisOptions, FrontendOptions
from duet.plip.syntax import Assign, Atomic
from duet.plip.terms import variable

OPTIONS = FrontendOptions(entries=("client",), init="start", parameterized=True)
TEXT = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct item { int low, high, size; struct item *next; };
static struct item *head, *kept;
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;
static void show(struct item *p) {
    pthread_mutex_lock(&list); p->next = head; head = p; pthread_mutex_unlock(&list);
}
static struct item *first(void) {
    pthread_mutex_lock(&list); struct item *p = head; if (p) head = p->next; pthread_mutex_unlock(&list); return p;
}
void start(void) { BEFORE }
void client(void) {
    int i = rand() % 100, j = rand() % 100;
    CLIENT
}
"""
NEW = "struct item *n = malloc(sizeof *n); if (!n) return;"
MADE = f"{NEW} n->low = i; n->high = i + 2; n->size = n->high - n->low; show(n);"
TAKEN = "struct item *p = first(); if (!p) return;"
CHECK = "assert(p->low < p->high);"
KEPT = {
    "an order": f"{MADE} {TAKEN} {CHECK}",
    "a difference": f"{MADE} {TAKEN} assert(p->high - p->low == 2);",
    "three members": f"{MADE} {TAKEN} int m = p->low; assert(p->size == p->high - m);",
    "a condition": f"{MADE} {TAKEN} if (p->low >= p->high) assert(0);",
    "a walk": f"{MADE} for (struct item *p = head; p; p = p->next) {CHECK}",
    "given back": f"{MADE} {TAKEN} {CHECK} free(p);",
    "in a loop": f"for (int k = 0; k < 40; k++) {{ {MADE} }} {TAKEN} {CHECK}",
    "two places": f"if (j) {{ {NEW} n->low = 0; n->high = j; show(n); }} {MADE} {TAKEN} assert(p->low <= p->high);",
    "not there": f"struct item *n = malloc(sizeof *n); if (n) {{ n->low = 1; n->high = 2; show(n); }} {TAKEN} {CHECK}",
}
OPEN = {
    "on one way": f"{NEW} n->low = i; if (j) n->high = i + 2; else n->high = j; show(n); {TAKEN} {CHECK}",
    "shown too early": f"{NEW} n->low = i; show(n); n->high = i + 2; {TAKEN} {CHECK}",
    "set later": f"{MADE} {TAKEN} {CHECK} p->low++;",
    "set by who has found it": f"{MADE} {TAKEN} {CHECK} p->high = p->low;",
    "never set": f"{NEW} n->low = i; show(n); {TAKEN} {CHECK}",
    "two objects": f"{MADE} struct item *q = head; {TAKEN} if (q) assert(q->low < p->high);",
    "another one by then": f"{MADE} {TAKEN} int m = p->low; p = first(); if (p) assert(m < p->high);",
    "through a pointer": f"{NEW} n->low = i; n->high = i + 2; int *h = &n->high; show(n); *h = j; {TAKEN} {CHECK}",
    "copied": f"{MADE} {TAKEN} {CHECK} n = malloc(sizeof *n); if (!n) return; *n = *p; n->low = j; show(n);",
    "perhaps another one": f"{MADE} struct item *p = head; if (!p) return; int m = p->low; if (j) {{ p = p->next;"
    "if (!p) return; } assert(m < p->high);",
    "what others set, too": f"{MADE} struct item *p = head; if (!p) return; p->size = p->high - p->low;"
    "assert(p->size == 2); p->size = 7;",
    "its own": f"{NEW} n->low = i; n->high = i + 2; show(n); {NEW.replace('*n = m', '*o = m').replace('!n', '!o')}"
    "o->low = 5; o->high = 1; struct item *p = j ? o : head; if (p) assert(p->low < p->high);"
    "o->low = 1; o->high = 5; show(o);",
    "two at once": f"{NEW} n->low = 9; n->high = 0; struct item *one = n; for (int k = 0; k < 2; k++) {{"
    f"n = malloc(sizeof *n); if (!n) return; n->low = i; n->high = i + 2; if (k) kept = one; one = n; }}"
    f"show(n); struct item *p = kept; if (p) {CHECK}",
    "shown by another thread's pointer": f"{NEW} n->low = i; n->high = i; kept = n; n = kept; n->high = i + 2;"
    f"show(n); {TAKEN} {CHECK}",
}


def are_proved(client: str, before: str = "") -> bool:
    text = TEXT.replace("BEFORE", before).replace("CLIENT", client)
    program = lower(parse(text, "a.c", OPTIONS), OPTIONS).program
    statuses = tuple(analyse(program, AnalysisOptions(domain="octagon")).statuses)
    assert statuses
    return all(status.is_safe for status in statuses)


@pytest.mark.parametrize("client", KEPT.values(), ids=KEPT.keys())
def test_what_members_say_of_each_other_when_they_are_shown_stays_so(client: str) -> None:
    assert are_proved(client)


@pytest.mark.parametrize("client", OPEN.values(), ids=OPEN.keys())
def test_what_may_change_later_is_not_known(client: str) -> None:
    assert not are_proved(client)


def test_objects_of_the_first_thread() -> None:
    making = f"for (int i = 0; i < 30; i++) {{ {NEW} n->low = i; n->high = i + 2; show(n); }}"
    assert are_proved(f"{TAKEN} {CHECK}", making)
    assert not are_proved(f"{TAKEN} {CHECK}", f"{making} if (head) head->low = 9;")


def _keys(thread: Thread, location: int) -> list[str]:
    return [item.origin.key for item in published._new(thread, location)]


ALL_DISTANCES = published._distances


@pytest.mark.parametrize(
    ("rule", "wrong", "case"),
    [
        ("_distances", lambda *given: (it for it in ALL_DISTANCES(*given) if it is not None), "set later"),
        ("_Members.is_of", lambda *_: False, "its own"),  # what a thread is alone with counts
        ("_absent", lambda thread: {at: _Absent(frozenset(_keys(thread, at))) for at in thread.known}, "on one way"),
        ("_Reads.common", lambda one, other: _Reads(one.found | other.found), "perhaps another one"),
    ],
)
def test_defects_are_noticed(rule: str, wrong: Callable[..., object], case: str) -> None:
    with patch(f"{published.__name__}.{rule}", wrong):
        assert are_proved(OPEN[case])


def test_what_else_a_command_sets_is_no_member() -> None:
    p, member = variable("p"), _Member("m", variable("p"), "low")
    beside = Atomic((Assign("t", variable("m")), Assign("u", variable("v"))))
    assert _Reads().after(beside, member, lambda _: True).found == {("t", p, variable("low"))}
    moved = Atomic((Assign("p", variable("q")), Assign("t", variable("m"))))
    assert not _Reads().after(moved, member, lambda _: True).found
