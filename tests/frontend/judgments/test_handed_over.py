"""Objects that only one thread knows, or that one thread was given: does what is known of their members hold?"""

from __future__ import annotations

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import AnalysisOptions, FrontendOptions
from duet.plip.wellformed import violations

START = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct part { int low, high, sum; struct part *next; };
static struct part *shared;
static int answer;
static struct part *made(void) { struct part *p = malloc(sizeof *p); if (!p) abort(); return p; }
"""
EACH = """
int main(int count, char **unused) {
    pthread_t t, other; struct part *last = 0;
    for (int i = 0; i < count; i++) { struct part *p = made(); %s pthread_create(&t, 0, run, p); %s }
    return 0;
}
"""
GIVEN = START + "void *run(void *argument) { struct part *p = argument; %s return 0; }" + EACH
MADE = (
    START
    + """
void *reader(void *unused) { struct part *p = shared; if (p) { %s } return 0; }
void *maker(void *unused) {
    struct part *old = 0;
    for (int i = 0; i < 9; i++) { struct part *p = made(); %s }
    return 0;
}
int main(void) {
    pthread_t a, b; pthread_create(&a, 0, maker, 0); pthread_create(&b, 0, reader, 0); return 0;
}
"""
)
TURNS = (
    START
    + """
static struct part parts[40]; static pthread_t threads[40];
void *run(void *argument) { struct part *p = argument; %s return 0; }
int main(int count, char **unused) {
    int n = count < 20 ? count : 20; pthread_t other;
    for (int i = 0; i < n; i++) { %s }
    for (int i = 0; i < n; i++) pthread_join(threads[i], 0);
    for (int i = 0; i < n; i++) { struct part *p = &parts[i]; %s }
    return 0;
}
"""
)
NEXT = "pthread_create(&threads[i], 0, run, &parts[i]);"
SET = "parts[i].low = i; parts[i].high = 2 * i;"
ORDER = "check(p->low <= p->high);"
ONE = "p->sum = 1; check(p->sum == 1);"
KEPT = {
    "elements": TURNS % (ORDER, SET + NEXT, ORDER),
    "elements and what they add up to": TURNS
    % ("p->sum = 3; check(p->sum == 3); p->sum++;", NEXT, "check(p->sum <= 4);"),
    "every other element": TURNS % (ONE, "pthread_create(&threads[i], 0, run, &parts[2 * i]);", ""),
    "by a pointer": TURNS
    % (ONE, "struct part *q = parts + i; q->sum = 0; pthread_create(&threads[i], 0, run, q);", ""),
    "some of them": TURNS % (ONE, "if (i % 3) " + NEXT, ""),
    "bounds": GIVEN % ("check(p->low <= p->high);", "p->low = i; p->high = 2 * i;", ""),
    "a sum": GIVEN % ("p->sum = p->high - p->low; check(p->sum == 5);", "p->low = i; p->high = i + 5;", ""),
    "a list": GIVEN % ("p->sum = 5; check(p->sum == 5);", "p->sum = 1; p->next = last; last = p;", ""),
    "before it is known": MADE % ("", "p->sum = 1; p->sum++; check(p->sum == 2); shared = p;"),
    "when it is known": MADE % ("check(p->sum == 2);", "p->sum = 2; p->low = 3 - p->sum; shared = p;"),
    "behind another one": MADE % ("", "p->next = old; p->sum = 3; check(p->sum == 3); old = p;"),
}
LOST = {
    "the same element": TURNS % ("p->sum = 0; p->sum++; check(p->sum == 1);", NEXT.replace("[i])", "[0])"), ""),
    "two for each": TURNS % ("p->sum++; p->sum = 1; check(p->sum == 1); p->sum = 2;", NEXT + NEXT, ""),
    "the one before, too": TURNS
    % (ONE + "p->sum = 5;", NEXT + "if (i) pthread_create(&other, 0, run, &parts[i - 1]);", ""),
    "from the end, and again": TURNS % (ONE + "p->sum = 5;", NEXT.replace("[i])", "[i % 7])"), ""),
    "backwards and forwards": TURNS % (ONE + "p->sum = 5;", NEXT.replace("[i])", "[i < 9 ? i : 19 - i])"), ""),
    "set too late": TURNS % (ORDER, NEXT + SET, ""),
    "the one before is set": TURNS % (ONE, NEXT + "if (i) parts[i - 1].sum = 50;", ""),
    "the same one in a loop": TURNS % (ONE + "p->sum = 5;", "while (rand() % 2) " + NEXT, ""),
    "the next one is written": TURNS % ("(p + 1)->sum = 7; " + ONE, NEXT, ""),
    "the first one is written": TURNS % ("parts[0].sum = 7; " + ONE, NEXT, ""),
    "what was there": TURNS % ("p->sum = 3;", NEXT, "check(p->sum == 3);"),
    "what is read at once": TURNS % ("p->sum = 3;", NEXT + "check(parts[i].sum == 0);", ""),
    "the counter goes back": TURNS % (ONE + "p->sum = 5;", NEXT + "if (i == 5 && !answer) { answer = 1; i = 2; }", ""),
    "by another function": (TURNS % (ONE, NEXT + "pthread_create(&other, 0, second, &parts[i]);", "")).replace(
        "int main", "void *second(void *argument) { struct part *p = argument; p->sum = 4; return 0; }\nint main"
    ),
    "in another order": TURNS
    % (ORDER, "parts[i].low = 1; parts[i].high = i + 1; " + NEXT.replace("[i])", "[n - i])"), ""),
    "written by who gave it": GIVEN % ("check(p->low <= p->high);", "p->low = p->high = i;", "p->low = i + 7;"),
    "given to two": GIVEN % ("p->sum = 0; p->sum++; check(p->sum == 1);", "", "pthread_create(&other, 0, run, p);"),
    "known to others": GIVEN % ("if (shared) shared->sum = 7; p->sum = 1; check(p->sum == 1);", "shared = p;", ""),
    "made known": GIVEN % ("shared = p; p->sum = 1; check(p->sum == 1);", "", "if (shared) shared->sum = 2;"),
    "the next one": GIVEN
    % ("if (p->next) p->next->sum = 4; p->sum = 1; check(p->sum == 1);", "p->next = last; last = p;", ""),
    "one that others see": GIVEN
    % ("p->sum = 1; check(!shared || shared->sum != 1); p->sum = 3;", "p->sum = 3; shared = p;", ""),
    "by another parameter": START
    + """
extern void __duet_spawn_at();
static char bytes[40];
void run(int i, void *own) {
    if (i < 0 || i >= 40) return;
    bytes[i] = 1; check(bytes[i] == 1); bytes[i] = 3;
}
int main(int count, char **unused) { for (int i = 0; i < count; i++) __duet_spawn_at(run, 1, made()); return 0; }
""",
    "one of two": GIVEN
    % ("struct part *q = p->low ? p : made(); q->sum = 2; p->sum = 1; check(q->sum == 2);", "p->low = i;", ""),
    "changed in part": GIVEN % ("check(p->high == p->low + 1);", "p->low = 1; p->high = 2; if (i % 3) p->low = 2;", ""),
    "read while it is given": GIVEN % ("p->sum = 7;", "p->sum = 1;", "check(p->sum == 1);"),
    "behind a join": GIVEN % ("p->sum = 7;", "p->sum = 1;", "pthread_join(t, 0); check(p->sum == 1);"),
    "written when it is known": MADE % ("p->sum = 8;", "p->sum = 1; shared = p; p->sum++; check(p->sum == 2);"),
    "one of two new ones": MADE
    % ("check(p->sum == 1);", "struct part *q = made(); p->sum = q->sum = 1; (i % 2 ? p : q)->sum = 5; shared = p;"),
    "one of two, seen at once": MADE
    % ("", "struct part *q = made(); p->sum = 1; (i % 2 ? p : q)->sum = 5; check(p->sum == 1);"),
    "before it is answered": MADE
    % (
        "check(p->sum != 2); answer = 1;",
        "p->sum = 1; p->sum = 2; shared = p; while (!answer) ; p->sum = 1;",
    ),
    "a copy of a copy": MADE
    % ("p->sum = 8;", "if (i > 3) old = p; p->sum = 1; if (old) shared = old; p->sum++; check(p->sum == 2);"),
    "filled": MADE % ("check(p->sum == 5);", "p->sum = 4; p->sum++; memset(p, 0, sizeof *p); shared = p;"),
    "as a whole": MADE % ("", "p->sum = 4; p->sum++; *p = (struct part){1, 2, 3, 0}; check(p->sum == 5);"),
    "in between": MADE
    % ("p->sum = 9;", "p->sum = 0; do { p->sum++; if (i > 1) shared = p; } while (p->sum < 3); check(p->sum == 3);"),
    "the one before": MADE % ("p->sum = 9;", "p->sum = 1; p->sum++; if (old) check(old->sum == 2); shared = old = p;"),
}


def is_safe(text: str, domain: str) -> bool:
    lowered = lower(parse(text.replace("check(", "__goblint_check("), "a.c", FrontendOptions()), FrontendOptions())
    assert not violations(lowered.program)
    found = analyse(lowered.program, AnalysisOptions(domain=domain)).statuses
    assert found
    return all(status.is_safe for status in found)


@pytest.mark.parametrize("name", KEPT)
def test_what_only_one_thread_knows_stays_as_it_is(name: str) -> None:
    assert is_safe(KEPT[name], "octagon" if name in ("bounds", "a sum", "elements") else "interval")


@pytest.mark.parametrize("name", LOST)
def test_what_others_may_know_does_not(name: str) -> None:
    assert not is_safe(LOST[name], "octagon" if name == "changed in part" else "interval")
