"""The attribute `cleanup`: what is called where variables go out of scope, in which order, by every way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.errors import Unsupported
from duet.frontend.bodies.inline import NO_UNWINDING
from duet.frontend.form.control import Break
from duet.frontend.form.leaving import Leaving
from duet.frontend.lower import lower
from duet.frontend.source.gnu import rewrite
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.frontend.source.words import CLEANUP
from duet.options import FrontendOptions
from duet.result import Status
from tests.frontend.running import fails, statuses

START = """
#include <assert.h>
#define ENDS __attribute__((cleanup(ends)))
static int seen;
static void ends(int *digit) { seen = seen * 10 + *digit; }
"""
WAYS = {
    "the end of a block": ("{ int a ENDS = 1; } return 0;", 1),
    "the last one first": ("{ int a ENDS = 1; ENDS int b = 2; int ENDS c = 3; } return 0;", 321),
    "inner scopes first": ("{ int a ENDS = 1; { int b ENDS = 2; } { int c ENDS = 3; } } return 0;", 231),
    "what it holds at the end": ("{ int a ENDS = 1; a = 7; } return 0;", 7),
    "an array": ("{ int a[2] ENDS; a[0] = 4; a[1] = 5; } return 0;", 4),
    "one of several": ("{ int a = 1, b ENDS = 2, c = 3; } return 0;", 2),
    "two of several": ("{ int a ENDS = 1, b = 2, c ENDS = 3; } return 0;", 31),
    "return": ("int a ENDS = 1; { int b ENDS = 2; return 0; } return 1;", 21),
    "return in a loop": ("for (int i = 1; i < 5; i++) { int a ENDS = i; if (i == 3) return 0; } return 1;", 123),
    "break": ("for (int i = 1; i < 9; i++) { int a ENDS = i; if (i == 2) break; a = 5; } return 0;", 52),
    "break out of a switch": ("int a ENDS = 1; switch (a) { case 1: { int b ENDS = 2; break; } } return 0;", 21),
    "a break that stays inside": ("{ int a ENDS = 1; while (1) { int b ENDS = 2; break; } a = 3; } return 0;", 23),
    "continue": ("for (int i = 1; i < 4; i++) { int a ENDS = i; if (i == 2) continue; a = 9; } return 0;", 929),
    "continue in a switch": (
        "for (int i = 1; i < 3; i++) { int a ENDS = i; switch (i) { case 1: { int b ENDS = 7; continue; } } }",
        712,
    ),
    "the head of a for": ("for (int i ENDS = 1, *done = 0; !done; done = &i) { int a ENDS = 2; } return 0;", 21),
    "break out of a for": ("for (int i ENDS = 1; ; ) { int a ENDS = 2; break; } return 0;", 21),
    "continue of a for": ("for (int i ENDS = 1; i < 3; i++) { int a ENDS = 5; continue; } return 0;", 553),
    "goto to the end": ("{ int a ENDS = 1; { int b ENDS = 2; goto out; } a = 5; } out: return 0;", 21),
    "goto inside": ("{ int a ENDS = 1; { int b ENDS = 2; goto on; } on: a = 5; } return 0;", 25),
    "goto back": ("int n = 0; again: ; int a ENDS = ++n; if (n < 3) goto again; return 0;", 123),
    "goto into a loop's own block": ("for (int n = 1; n < 3; n++) { int a ENDS = n; goto on; on: ; } return 0;", 12),
    "goto out of a loop": ("int n = 0; while (1) { int a ENDS = ++n; if (n == 2) goto out; } out: return 0;", 12),
    "a shadow": ("{ int a ENDS = 1; { int a ENDS = 2; { int a = 3; goto out; } } } out: return 0;", 21),
    "a statement expression": ("int n = ({ int a ENDS = 1; a + 1; }); seen = seen * 10 + n; return 0;", 12),
    "a value before it ends": ("int n = ({ int a ENDS = 1; seen; }); seen = seen * 10 + n; return 0;", 10),
    "a statement expression without value": ("({ int a ENDS = 1; (void)a; }); return 0;", 1),
    "static ones never end": ("static int a ENDS = 1; int b ENDS = 2; return 0;", 2),
    "behind a label": ("goto on; on: ; int a ENDS = 4; return 0;", 4),
    "in a switch": ("switch (seen) { default: ; int a ENDS = 6; a++; } return 0;", 7),
    "in both branches": ("if (seen == 0) { int a ENDS = 1; } else { int a ENDS = 2; } return 0;", 1),
    "a struct": ("struct { int n; } s __attribute__((__cleanup__(ends))) = { 8 }; return 0;", 8),
    "in double brackets": ("[[gnu::cleanup(ends)]] int a = 1; int b [[gnu::cleanup(ends)]] = 2; return 0;", 21),
    "several attributes": (
        "int a __attribute__((unused, cleanup(ends))) __attribute__((aligned(8))) = 1; return 0;",
        1,
    ),
}
"""Bodies of a function, and the digits that are seen when it has come back."""
OPEN = frozenset({"continue", "return in a loop", "goto back", "goto into a loop's own block"})
"""What no domain proves yet: the digits are what several rounds of a loop make of a product."""


def program(body: str, claim: str) -> str:
    """A function with a body, and a claim about what has been seen behind it."""
    return f"{START}static int f(void) {{ {body} }}\nint main(void) {{ f(); assert({claim}); }}\n"


@pytest.mark.parametrize("way", WAYS)
def test_what_is_seen_is_proved_and_seen(tmp_path: Path, way: str) -> None:
    source = tmp_path / "a.c"
    body, digits = WAYS[way]
    found = statuses(source, program(body, f"seen == {digits}"))
    assert way in OPEN or set(found) <= {Status.PROVED, Status.UNREACHABLE}
    assert not fails(source, "")


@pytest.mark.parametrize(("body", "digits"), WAYS.values(), ids=WAYS)
def test_nothing_else_is_proved(tmp_path: Path, body: str, digits: int) -> None:
    source = tmp_path / "a.c"
    assert statuses(source, program(body, f"seen != {digits}"))[-1] not in (Status.PROVED, Status.UNREACHABLE)


RESULTS = {
    "what is given back is read first": ("int a ENDS = 3; return seen;", 0),
    "what ends may change the variable": ("int a __attribute__((cleanup(zero))) = 3; return a;", 3),
    "an expression": ("int a __attribute__((cleanup(zero))) = 3; return a * 2 + 1;", 7),
    "one of two": ("int a __attribute__((cleanup(zero))) = 3; if (a > 2) return 1; return 2;", 1),
    "converted": ("int a __attribute__((cleanup(zero))) = 300; return (unsigned char)a;", 44),
}


@pytest.mark.parametrize(("body", "value"), RESULTS.values(), ids=RESULTS)
def test_results(tmp_path: Path, body: str, value: int) -> None:
    source = tmp_path / "a.c"
    text = f"{START}static void zero(int *p) {{ *p = 0; }}\nstatic int f(void) {{ {body} }}\n"
    assert statuses(source, f"{text}int main(void) {{ assert(f() == {value}); }}") == (Status.PROVED,)
    assert not fails(source, "")
    assert statuses(source, f"{text}int main(void) {{ assert(f() != {value}); }}") != (Status.PROVED,)


def test_structs_and_nothing_are_given_back(tmp_path: Path) -> None:
    text = (
        START + "struct s { int x, y; }; static void zero(struct s *p) { p->x = 0; }\n"
        "static struct s f(void) { struct s a __attribute__((cleanup(zero))) = { 1, 2 }; return a; }\n"
        "static void g(void) { int a ENDS = 5; return (void)(seen = 1); }\n"
        "int main(void) { struct s got = f(); assert(got.x == 1 && got.y == 2); g(); assert(seen == 15); }"
    )
    source = tmp_path / "a.c"
    assert set(statuses(source, text)) == {Status.PROVED}
    assert not fails(source, "")


LOCKED = """
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void unlock(pthread_mutex_t **held) { @UNLOCK@; }
static void *worker(void *way) {
    pthread_mutex_lock(&m);
    pthread_mutex_t *held __attribute__((cleanup(unlock))) = &m;
    x = 1;
    if (way) { x = 0; return 0; }
    x = 0;
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
    pthread_mutex_lock(&m);
    assert(x == 0);
    pthread_mutex_unlock(&m);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("unlock", "is_proved"), [("pthread_mutex_unlock(*held)", True), ("pthread_mutex_unlock(*held); x = 2", False)]
)
def test_a_lock_is_held_to_the_end_of_the_scope(tmp_path: Path, unlock: str, is_proved: bool) -> None:
    found = statuses(tmp_path / "a.c", LOCKED.replace("@UNLOCK@", unlock))
    assert (found == (Status.PROVED,)) == is_proved


REFUSED = {
    "a jump into a scope": "goto in; { int a ENDS = 1; in: ; } return 0;",
    "a jump over a declaration": "goto in; int a ENDS = 1; in: return 0;",
    "a label of a switch behind one": "switch (seen) { case 0: ; int a ENDS = 1; case 1: ; } return 0;",
    "a label in a loop behind one": "switch (seen) { case 0: ; int a ENDS = 1; while (a) { case 1: a--; } } return 0;",
    "a computed jump": "int a ENDS = 1; void *to = &&out; goto *to; out: return 0;",
    "several names at once": "ENDS int a = 1, b = 2; return 0;",
    "what is no name": "int a __attribute__((cleanup(ends, ends))) = 1; return 0;",
}


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_the_rest_may_do_anything(tmp_path: Path, body: str) -> None:
    options = FrontendOptions(std="gnu23")
    source = tmp_path / "a.c"
    found = statuses(source, program(body, "seen == 0"), options)
    assert found[-1] not in (Status.PROVED, Status.UNREACHABLE)
    lowered = lower(parse(preprocess(str(source), options).text, str(source), options), options)
    assert [warning.code for warning in lowered.warnings].count("not-understood") == 1


def test_other_places_of_the_attribute() -> None:
    assert rewrite("void f(void) __attribute__((cleanup(g)));", "a.c").refusals
    assert not rewrite("void f(void) { int a __attribute__((cleanup(g))); }", "a.c").refusals


DEFECTS = {
    "nothing is called": (Leaving, "_called", lambda *_: (), "return"),
    "the first one first": (
        Leaving,
        "_called",
        lambda self, kept: tuple(self._ended(ending) for ending in self.endings[kept:]),
        "the last one first",
    ),
    "break leaves the loop's own head": (
        Leaving,
        "stopped",
        lambda self, node: self._leaving(Break(node), 0),
        "a break that stays inside",
    ),
    "a jump leaves nothing": (
        Leaving,
        "_scopes_of_labels",
        lambda self: {"again": tuple(ending.node for ending in self.endings)},
        "goto back",
    ),
}


@pytest.mark.parametrize(("owner", "name", "broken", "way"), DEFECTS.values(), ids=DEFECTS)
def test_defects_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: type, name: str, broken: object, way: str
) -> None:
    monkeypatch.setattr(owner, name, broken)
    body, digits = WAYS[way]
    assert statuses(tmp_path / "a.c", program(body, f"seen == {digits}"))[-1] is not Status.PROVED


def test_what_cannot_be_understood_says_where() -> None:
    refusals = rewrite("void f(void) { int a __attribute__((cleanup(g, h))); }", "a.c").refusals
    (error,) = refusals.values()
    assert isinstance(error, Unsupported)
    assert error.span is not None
    assert CLEANUP in str(error)


def test_that_a_thread_ends_without_it_is_assumed(tmp_path: Path) -> None:
    def assumptions(body: str) -> tuple[str, ...]:
        path = tmp_path / "a.c"
        path.write_text(program(body, "seen >= 0"), encoding="utf-8")
        options = FrontendOptions()
        return lower(parse(preprocess(str(path), options).text, str(path), options), options).assumptions

    assert NO_UNWINDING in assumptions("int a ENDS = 1; return 0;")
    assert NO_UNWINDING not in assumptions("int a = 1; return 0;")
