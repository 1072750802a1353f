"""Handlers run inside of threads: when their accesses make a data race, an interruption, or neither."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.check.interruptions import Threads
from duet.cli import cli

PROGRAM = """
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
volatile sig_atomic_t flag;
int plain;
void handle(int number) { flag = 1; plain = plain + 1; }
void *work(void *unused) { return unused; }
void start(void) { pthread_t thread; pthread_create(&thread, 0, work, 0); }
void start_and_join(void) { pthread_t thread; pthread_create(&thread, 0, work, 0); pthread_join(thread, 0); }
void on_time(union sigval value) { handle(0); }
void set_timer(void) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_time};
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
}
void on_event(void (*callback)(int));
int main(void) {
    %s
    flag = 2;
    plain = 2;
    return 0;
}
"""
SIGNAL = "signal(SIGINT, handle);"


def found(tmp_path: Path, body: str, *more: str) -> dict[str, list[str]]:
    """What must hold of each check on data races, and its status, by variable."""
    path = tmp_path / "a.c"
    path.write_text(PROGRAM % body)
    arguments = [
        "analyze",
        str(path),
        "--properties=data-race",
        "--domain=interval",
        "--no-verify",
        "--format=json",
        *more,
    ]
    outcome = CliRunner().invoke(cli, arguments)
    assert outcome.exit_code in (0, 1), outcome.output
    result: dict[str, list[str]] = {"flag": [], "plain": []}
    for item in json.loads(outcome.stdout)["assertions"]:
        name = next((name for name in result if name in item["expression"]), None)
        if name is not None:
            is_interruption = item["expression"].startswith("no interrupted access")
            result[name].append("interruption" if is_interruption else item["status"])
    return result


def test_one_thread_has_no_race_with_its_handler(tmp_path: Path) -> None:
    assert found(tmp_path, SIGNAL) == {"flag": ["proved"], "plain": ["interruption"]}
    assert found(tmp_path, f"start_and_join(); {SIGNAL}") == {"flag": ["proved"], "plain": ["interruption"]}
    assert found(tmp_path, "flag = 1; plain = 3;") == {"flag": [], "plain": []}


@pytest.mark.parametrize(
    "body",
    [f"{SIGNAL} start();", f"start(); {SIGNAL}", f"{SIGNAL} on_event(handle);", "set_timer();"],
)
def test_with_other_threads_it_may_be_a_race(tmp_path: Path, body: str) -> None:
    verdicts = found(tmp_path, body)
    assert "unproved" in verdicts["flag"]
    assert "proved" not in verdicts["flag"] + verdicts["plain"]


def test_what_the_end_of_the_process_runs_comes_in_turn(tmp_path: Path) -> None:
    assert found(tmp_path, "atexit((void (*)(void))handle);") == {"flag": ["proved"], "plain": ["proved"]}
    verdicts = found(tmp_path, f"atexit((void (*)(void))handle); {SIGNAL}")
    assert verdicts == {"flag": ["proved"], "plain": ["interruption"]}
    assert "unproved" in found(tmp_path, "atexit((void (*)(void))handle); start();")["plain"]


def test_flags_may_be_taken_to_be_atomic(tmp_path: Path) -> None:
    verdicts = found(tmp_path, f"{SIGNAL} start();", "--assume=signal-flags")
    assert set(verdicts["flag"]) <= {"proved"}
    assert "unproved" in verdicts["plain"]


def test_the_tests_notice_that_other_threads_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(self: Threads, location: int) -> frozenset[str]:
        return frozenset()

    monkeypatch.setattr(Threads, "alive", nobody)
    assert found(tmp_path, f"{SIGNAL} start();")["flag"] == ["proved"]
