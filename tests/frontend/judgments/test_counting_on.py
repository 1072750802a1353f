"""Counters that start over at the end of their type go on: how far one is in front of another one stays known."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.options import AnalysisOptions, FrontendOptions
from duet.plip.syntax import Guard, Program, steps
from duet.reading import read

PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define N 4u
static TYPE in, out;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *put(void *unused) {
    for (;;) {
        unsigned i = in, o = out;
        FULL continue;
        IN;
        WHAT
    }
    return unused;
}
static void *get(void *unused) {
    for (;;) {
        unsigned o = out, i = in;
        if (EMPTY) continue;
        assert((TYPE)(i - o) <= N);
        OUT;
    }
    return unused;
}
int main(void) {
    pthread_t a, b, c;
    MORE
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, get, 0);
    return 0;
}
"""
RING = {"TYPE": "atomic_uint", "FULL": "if (i - o == N)", "EMPTY": "i == o", "IN": "in = i + 1", "OUT": "out = o + 1"}
OTHERS = {
    "": {},
    "that count up at once": {"IN": "in++", "OUT": "out++"},
    "that ask for more or fewer": {"FULL": "if (i - o >= N)", "EMPTY": "i - o == 0"},
    "of which the last is in the way": {"FULL": "if (i == o + N)"},
    "that begin at the end of the type": {"MORE": "in = out = -2;"},
    "of small numbers": {"TYPE": "atomic_uchar", "FULL": "if ((unsigned char)(i - o) == N)"},
    "with a remainder": {"WHAT": "assert(i % N < N); assert((i & 3) < 4);"},
    "of signed differences": {"FULL": "if ((int)(i - o) == (int)N)"},
}
FAILING = {
    "with one more": {"FULL": "if (i - o == N + 1)"},
    "that takes of none": {"EMPTY": "0"},
    "that takes two": {"OUT": "out = o + 2"},
    "that puts two": {"IN": "in = i + 2"},
    "that goes back": {"OUT": "out = o - 1"},
    "that begins anew": {"MORE": "pthread_create(&c, 0, put, 0);"},
    "in which both put": {"EMPTY": "in = i + 1, i == o"},
    "that begins with too many": {"MORE": "in = 6;"},
    "of small numbers that are not cut": {"TYPE": "atomic_uchar"},
    "that asks for a larger one": {"FULL": "if (i > o + N)"},
}


def _program(folder: Path, parts: dict[str, str]) -> Program:
    text = PROGRAM
    for name, part in {**RING, "MORE": "", "WHAT": "", **parts}.items():
        text = re.sub(rf"\b{name}\b", part, text)
    source = folder / "a.c"
    source.write_text(text, encoding="utf-8")
    return read((str(source),), FrontendOptions(), Clock()).program


def _is_proved(folder: Path, parts: dict[str, str]) -> bool:
    return analyse(_program(folder, parts), AnalysisOptions(domain="octagon")).is_proved


@pytest.mark.parametrize("name", OTHERS)
def test_a_ring_that_runs_for_ever_is_never_too_full(name: str, tmp_path: Path) -> None:
    assert _is_proved(tmp_path, OTHERS[name])


@pytest.mark.parametrize("name", FAILING)
def test_a_ring_that_may_be_too_full_is_not_proved(name: str, tmp_path: Path) -> None:
    assert not _is_proved(tmp_path, FAILING[name])


def test_calls_on_the_way_stay_calls() -> None:
    """A way through a region that calls a shared body, and looks at a counter, still says which call that is."""
    path = Path(__file__).parents[2] / "c" / "several_hands" / "ring_left_inside.c"
    program = read((str(path),), FrontendOptions(), Clock()).program
    assert any(cell.endswith("counted on") for cell in program.cells)
    made = [step.call for it in program.commands for step in steps(it.instruction) if isinstance(step, Guard)]
    assert sorted({abs(call) for call in made if call < 0}) == sorted({call for call in made if call > 0})
    assert not analyse(program, AnalysisOptions(domain="octagon")).is_proved
