"""Ticket locks: who has the number that is served is alone. Twins in which two threads are inside."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.frontend.judgments import tickets
from duet.frontend.judgments.tickets import BOUNDED
from duet.options import AnalysisOptions, FrontendOptions
from duet.reading import Input, read

PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint next, serving;
static atomic_uchar small, small_serving;
static unsigned plain, plain_serving;
static atomic_int whole, whole_serving;
static int inside;
static void use(void) { inside++; assert(inside == 1); inside--; }
static void *client(void *unused) {
    for (int i = 0; i < 2; i++) { BODY }
    return 0;
}
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_create(&c, 0, client, 0);
    MORE
    return 0;
}
"""
DRAW = "unsigned mine = atomic_fetch_add(&next, 1); "
WAIT = "while (atomic_load(&serving) != mine) ; "
ALONE = {
    "to the next number": DRAW + WAIT + "use(); atomic_store(&serving, mine + 1);",
    "one more": DRAW + WAIT + "use(); atomic_fetch_add(&serving, 1);",
    "of small numbers": (
        "unsigned char mine = atomic_fetch_add(&small, 1); while (atomic_load(&small_serving) != mine) ; use();"
        "atomic_fetch_add(&small_serving, 1);"
    ),
    "of signed numbers": (
        "int mine = atomic_fetch_add(&whole, 1); while (atomic_load(&whole_serving) != mine) ; use();"
        "atomic_store(&whole_serving, mine + 1);"
    ),
    "in another cell": (
        DRAW
        + "unsigned now; do now = atomic_load(&serving); while (now != mine); use(); atomic_store(&serving, now + 1);"
    ),
    "with GNU functions": (
        "unsigned mine = __sync_fetch_and_add(&plain, 1); while (plain_serving != mine) ; use(); plain_serving++;"
    ),
    "by who gives up waiting for ever": DRAW
    + "if (atomic_load(&serving) != mine) return 0; use(); serving = mine + 1;",
}
TOGETHER = {
    "without a number": DRAW + WAIT + "use(); atomic_fetch_add(&serving, 1); atomic_fetch_add(&serving, 1);",
    "of who does not wait": DRAW + "if (i) " + WAIT + "use(); atomic_store(&serving, mine + 1);",
    "of who gives up": (
        DRAW + "if (atomic_load(&serving) != mine) { atomic_fetch_add(&serving, 1); continue; }"
        "use(); atomic_store(&serving, mine + 1);"
    ),
    "drawn in two steps": (
        "unsigned mine = atomic_load(&next); atomic_store(&next, mine + 1); "
        + WAIT
        + "use(); atomic_store(&serving, mine + 1);"
    ),
    "drawn twice": (
        DRAW
        + "if (i == 1) { mine = atomic_fetch_add(&next, 1); } "
        + WAIT
        + "use(); atomic_store(&serving, mine - i + 1); atomic_store(&serving, mine + 1);"
    ),
    "drawn of signed numbers in two steps": (
        "int mine = atomic_load(&whole); atomic_store(&whole, mine + 1); while (atomic_load(&whole_serving) != mine) ;"
        "use(); atomic_store(&whole_serving, mine + 1);"
    ),
    "two further of signed numbers": (
        "int mine = atomic_fetch_add(&whole, 1); while (atomic_load(&whole_serving) != mine) ; use();"
        "atomic_store(&whole_serving, mine + 2); atomic_store(&whole_serving, mine + 1);"
    ),
    "of a number that is forgotten": DRAW + "mine = 0; " + WAIT + "use(); atomic_store(&serving, 0);",
    "that comes later": (
        DRAW + "while (atomic_load(&serving) < mine && !i) ; use(); atomic_store(&serving, mine + 1);"
    ),
    "of the number in front": (
        DRAW + "while (atomic_load(&serving) != mine && atomic_load(&serving) + 1 != mine) ; use();"
        "atomic_fetch_add(&serving, 1);"
    ),
    "two further": DRAW + WAIT + "atomic_store(&serving, mine + 1); use();",
    "of a number that is too small": (
        "unsigned mine = atomic_fetch_add(&next, 128); "
        + WAIT.replace("mine", "(unsigned char)(mine * 2)")
        + "use(); atomic_store(&serving, 0);"
    ),
}
STARTED_OVER = "atomic_store(&serving, 0);"
"""What main does beside a lock that is one otherwise."""
CROWD = "while (1) pthread_create(&a, 0, client, 0);"


def _read(tmp_path: Path, body: str, more: str) -> Input:
    source = tmp_path / "a.c"
    source.write_text(PROGRAM.replace("BODY", body).replace("MORE", more), encoding="utf-8")
    return read((str(source),), FrontendOptions(), Clock())


def _is_proved(tmp_path: Path, body: str, more: str = "") -> bool:
    program = _read(tmp_path, body, more).program
    return all(status.is_safe for status in analyse(program, AnalysisOptions(domain="interval")).statuses)


@pytest.mark.parametrize("name", ALONE)
def test_who_is_served_is_alone(name: str, tmp_path: Path) -> None:
    assert _is_proved(tmp_path, ALONE[name])


@pytest.mark.parametrize("name", TOGETHER)
def test_where_two_may_be_served_nothing_is_proved(name: str, tmp_path: Path) -> None:
    assert not _is_proved(tmp_path, TOGETHER[name])


@pytest.mark.parametrize("more", [STARTED_OVER, "atomic_store(&next, 0);"])
def test_nor_where_others_change_the_counters(more: str, tmp_path: Path) -> None:
    assert not _is_proved(tmp_path, ALONE["one more"], more)


def test_any_number_of_threads_is_bounded_by_what_runs_at_a_time(tmp_path: Path) -> None:
    assert _is_proved(tmp_path, ALONE["one more"], CROWD)
    assert BOUNDED in _read(tmp_path, ALONE["one more"], CROWD).assumptions
    assert BOUNDED not in _read(tmp_path, ALONE["one more"], "").assumptions


@pytest.mark.parametrize("name", ["of small numbers", "by who gives up waiting for ever"])
def test_any_number_of_threads_has_as_many_small_numbers_or_forgets_them(name: str, tmp_path: Path) -> None:
    assert not _is_proved(tmp_path, ALONE[name], CROWD)


def test_numbers_that_threads_take_with_them_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: of any number of threads each may end with a number."""
    follow = tickets._Lock._follow
    monkeypatch.setattr(
        tickets._Lock, "_follow", lambda self, program, name, **_: follow(self, program, name, ends_idle=False)
    )
    assert _is_proved(tmp_path, ALONE["by who gives up waiting for ever"], CROWD)


def test_a_change_of_what_is_served_by_anybody_would_be_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seeded defect: who has no number may change the one that is served."""

    def wrong(self: tickets._Run, source: str | None, what: tickets._Source) -> None:
        self.known = tickets._Known()

    monkeypatch.setattr(tickets._Run, "_serve", wrong)
    assert _is_proved(tmp_path, TOGETHER["without a number"])
