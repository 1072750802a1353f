"""How many threads of a function have been started: a token for each, which it takes in its first step."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.judgments.lives import Starting
from duet.plip.syntax import Assign, Guard, Step
from duet.plip.terms import add, compare, constant, variable
from duet.result import Status
from tests.frontend.running import statuses

_TEXT = """
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *work(void *unused) {
    pthread_mutex_lock(&m);
    counter++;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t[10];
    for (int i = 0; i < 10; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 10; i++) pthread_join(t[i], 0);
    assert(counter == 10);
    return 0;
}
"""
_FALSE = _TEXT.replace("counter == 10", "counter <= 9")


def test_any_number_of_threads_adds_so_many_times_what_each_adds(tmp_path: Path) -> None:
    assert set(statuses(tmp_path / "a.c", _TEXT)) == {Status.PROVED}
    assert set(statuses(tmp_path / "a.c", _FALSE)) == {Status.UNPROVED}


@pytest.mark.parametrize("defect", ["not-given", "one-left", "never-there"])
def test_a_seeded_defect_is_noticed(defect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each makes a check proved that fails, as threads that run seem not to be there."""

    def not_given(of: Starting) -> Assign:
        return Assign(of.cell.name, variable(of.cell.name))

    def one_left(of: Starting) -> tuple[Step, ...]:
        token = variable(of.cell.name)
        return Guard(compare(token, ">=", constant(2))), Assign(of.cell.name, add(token, constant(-1)))

    def never_there(of: Starting) -> tuple[Step, ...]:
        return (Guard(compare(variable(of.cell.name), "<=", constant(-1))),)

    name, value = {
        "not-given": ("added", not_given),
        "one-left": ("taken", one_left),
        "never-there": ("taken", never_there),
    }[defect]
    monkeypatch.setattr(Starting, name, property(value))
    assert set(statuses(tmp_path / "a.c", _FALSE)) != {Status.UNPROVED}


def test_what_is_started_elsewhere_is_counted_there(tmp_path: Path) -> None:
    """Of threads that another one starts, or that are not joined, there may be more."""
    go = "static void *go(void *unused) { pthread_t x; pthread_create(&x, 0, work, 0); return 0; }"
    begin = "int main(void) {"
    more = _TEXT.replace(begin, f"{go}\n{begin}\n    pthread_t s; pthread_create(&s, 0, go, 0);")
    assert set(statuses(tmp_path / "a.c", more.replace("== 10", "<= 10"))) == {Status.UNPROVED}
    early = _TEXT.replace("i < 10; i++) pthread_join", "i < 9; i++) pthread_join")
    assert set(statuses(tmp_path / "a.c", early)) == {Status.UNPROVED}
