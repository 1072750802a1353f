"""Which locks a thread may have behind calls that share a body: those of the call that it comes back to."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.deadlock_evidence import deadlock_assertions
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.reading import read

SHARED = Budgets(inlined_commands=-1, inlined_commands_if_large=-1, small_commands=-1)
START = """#include <pthread.h>
#include <setjmp.h>
int any(void);
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int total;
static jmp_buf back;
static void count(int n) { while (n-- > 0) total += n; }
static void count_locked(int n) { pthread_mutex_lock(&b); count(n); pthread_mutex_unlock(&b); }
static void take(void) { pthread_mutex_lock(&a); }
static void give(void) { pthread_mutex_unlock(&a); }
static void take_if(int n) { if (n) pthread_mutex_lock(&a); }
static void both(void) { take(); count_locked(2); give(); }
static void down(int n) { if (n) down(n - 1); else take(); }
static void leave(int n) { if (n) longjmp(back, 1); }
"""
FREE = {
    "called with a lock and without": "take(); count(2); give(); count(3); take(); give();",
    "a lock inside": "take(); count_locked(1); give(); count_locked(2); take(); count(1); give();",
    "bodies in bodies": "both(); count_locked(3); both(); take(); count(1); give();",
    "in a loop": "for (int i = any(); i > 0; i--) { take(); count(i); give(); count(i); }",
    "on one of two ways": "if (any()) { take(); count(1); give(); } else count(2); take(); give();",
}
STUCK = {
    "kept by the body": "take(); count(1); take();",
    "kept by one of two calls": "take_if(0); count(1); take_if(1); count(2); take();",
    "kept through a body that others call without it": "count(3); take(); count(1); count_locked(1); take();",
    "kept in a body that calls itself": "down(2); count(1); take();",
    "kept over a jump": "if (!setjmp(back)) { take(); leave(1); } count(1); take();",
    "not given back behind bodies in bodies": "both(); take(); both();",
    "kept by a loop": "for (int i = any(); i > 0; i--) { take(); count(i); }",
}


def _is_free(body: str, folder: Path) -> bool:
    """Whether no thread of a program may wait for ever, where calls share bodies."""
    source = folder / "a.c"
    source.write_text(f"{START}\nint main(void) {{\n{body}\nreturn 0; }}\n", encoding="utf-8")
    found = read((str(source),), FrontendOptions(properties=("deadlock",), budgets=SHARED), Clock())
    analysis = analyse(found.program, AnalysisOptions(domain="interval"))
    return all(assertion.status.is_safe for assertion in deadlock_assertions(analysis, str(source)))


@pytest.mark.parametrize("name", FREE)
def test_a_thread_has_what_it_had_at_the_call(name: str, tmp_path: Path) -> None:
    assert _is_free(FREE[name], tmp_path)


@pytest.mark.parametrize("name", STUCK)
def test_what_a_thread_keeps_is_seen_behind_calls(name: str, tmp_path: Path) -> None:
    assert not _is_free(STUCK[name], tmp_path)


DEFECTS = {
    "nobody comes back": ("duet.check.held._Ways._come_back", lambda *_: None),
    "bodies keep what they were given": ("duet.check.held._both", lambda _, other: other),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_defects_lose_what_a_body_keeps(name: str, tmp_path: Path) -> None:
    with patch(*DEFECTS[name]):
        assert _is_free(STUCK["kept by the body"], tmp_path)
