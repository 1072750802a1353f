"""What the first thread does before it starts another one races with nothing, also where calls share a body."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.race_evidence import race_assertions
from duet.frontend import program
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.reading import read

SHARED = Budgets(inlined_commands=-1, small_commands=-1, callback_small_commands=-1)
OPTIONS = FrontendOptions(properties=("data-race",), budgets=SHARED)
START = """
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
extern int any(void);
extern void call(void (*)(void));
int x, y;
pthread_t thread;
jmp_buf there;
int main(int argc, char **argv);
void *run(void *p) { return x ? p : 0; }
void handle(int n) { x = n; }
void write(void) { x = 1; }
void work(void) { if (any()) y++; }
void around(void) { work(); work(); }
void start(void) { pthread_create(&thread, 0, run, 0); }
void maybe(void) { if (any()) start(); }
void *again(void *p) { main(0, 0); return p; }
int main(int argc, char **argv) { @ return 0; }
"""
PROVED = {
    "in front of a shared call": "x = 1; work(); start(); work();",
    "behind one": "work(); x = 1; around(); start(); around();",
    "in a shared call": "around(); x = 1; maybe(); around();",
    "in a loop in front of it": "while (any()) { work(); x++; } maybe(); work();",
}
OPEN = {
    "behind the start": "work(); start(); work(); x = 1;",
    "behind a start that may be": "work(); maybe(); x = 1; work();",
    "in a body that is called again": "write(); start(); write();",
    "in a loop": "while (any()) { x = 1; work(); start(); }",
    "by a jump back": "setjmp(there); x = 1; work(); start(); work(); if (any()) longjmp(there, 1);",
    "main is started, too": "x = 1; work(); if (any()) pthread_create(&thread, 0, again, 0); write();",
    "main as a thread": ("x = 1; work(); if (any()) pthread_create(&thread, 0, (void *(*)(void *))main, 0); write();"),
    "a handler": "work(); signal(SIGUSR1, handle); work(); x = 1;",
    "at the exit": "work(); atexit(write); start(); work();",
    "unknown code may call": "work(); call(start); work(); x = 1;",
}


def is_proved(folder: Path, body: str) -> bool:
    source = folder / "a.c"
    source.write_text(START.replace("@", body), encoding="utf-8")
    found = read((str(source),), OPTIONS, Clock())
    analysis = analyse(found.program, AnalysisOptions(domain="interval"))
    checks = [item.status.is_safe for item in race_assertions(analysis, str(source))]
    assert checks
    return all(checks)


@pytest.mark.parametrize("name", PROVED)
def test_what_is_done_before_races_with_nothing(tmp_path: Path, name: str) -> None:
    assert is_proved(tmp_path, PROVED[name])


@pytest.mark.parametrize("name", OPEN)
def test_what_is_done_later_may_race(tmp_path: Path, name: str) -> None:
    assert not is_proved(tmp_path, OPEN[name])


def test_a_defect_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "alone", lambda commands, *_: {command.source for command in commands})
    assert is_proved(tmp_path, OPEN["behind the start"])
