"""Deadlocks that random programs of locks and joins run into are not excluded by the analysis.

Circles, and locks that those who had them never gave back."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from unittest.mock import patch

import pytest

from duet.clock import Clock
from duet.coarsen.deadlock_evidence import deadlock_assertions
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.pipeline import solve
from duet.reading import read
from duet.result import Status
from tests.c.annotations import AnnotatedProgram
from tests.c.schedules import compile_program, compile_runtime, execute
from tests.soundness.budgets import MODES

COMPILER = shutil.which("gcc") or ""
COUNT = 12
RUNS = 400
ARGUMENTS = ("--properties", "deadlock")
INTERVAL = AnalysisOptions(domain="interval", engine="bitset")

pytestmark = pytest.mark.skipif(not COMPILER, reason="gcc not found: programs cannot be executed")


def random_locks(seed: int) -> str:
    """The text of a program with two or three threads that take locks inside of each other, and join others."""
    rng = random.Random(seed)
    count = rng.choice((2, 2, 3))
    lines = ["#include <pthread.h>", "pthread_mutex_t m[3]; pthread_mutex_t deep; int flag; pthread_t t[3];"]
    lines.append("void nested(pthread_mutex_t *one, pthread_mutex_t *other) {")
    lines += ["pthread_mutex_lock(one);", "pthread_mutex_lock(other);"]
    lines += ["pthread_mutex_unlock(other);", "pthread_mutex_unlock(one);", "}"]
    for number in range(count):
        lines += [f"void *thread{number}(void *unused) {{", *_locks(rng, 2), *_locks(rng, 2)]
        if rng.random() < 0.3:
            other = (number + 1) % count
            lines += [f"if (t[{other}])", f"pthread_join(t[{other}], 0);"]
        lines += ["return 0;", "}"]
    lines.append("int main(void) {")
    for number in range(count):
        lines.append(f"pthread_create(&t[{number}], 0, thread{number}, 0);")
        if rng.random() < 0.2:
            lines.append(f"pthread_join(t[{number}], 0);")
    lines += [*_locks(rng, 1), "return 0;", "}"]
    return "\n".join(lines) + "\n"


def _locks(rng: random.Random, depth: int) -> list[str]:
    """Statements that take a lock, do more of the kind, and give it back."""
    lock = f"&m[{rng.randrange(3)}]"
    inner = _locks(rng, depth - 1) if depth and rng.random() < 0.8 else []
    match rng.randrange(6):
        case 5:
            return [f"pthread_mutex_lock({lock});", *inner, f"if (flag == 2) pthread_mutex_unlock({lock});"]
        case 0:
            return [f"if (pthread_mutex_trylock({lock}) == 0) {{", *inner, f"pthread_mutex_unlock({lock});", "}"]
        case 1:
            return [f"nested({lock}, &m[{rng.randrange(3)}]);", *inner]
        case 2:
            taken = [f"pthread_mutex_lock({lock});", "flag = 1;", *inner, f"pthread_mutex_unlock({lock});"]
            return [f"if (flag == {rng.randrange(2)}) {{", *taken, "}"]
        case _:
            return [f"pthread_mutex_lock({lock});", *inner, f"pthread_mutex_unlock({lock});"]


def excluded(path: Path, budgets: Budgets) -> set[int]:
    """The lines on which waiting is proved to be in no circle."""
    found = read((str(path),), FrontendOptions(properties=("deadlock",), budgets=budgets), Clock())
    assertions = deadlock_assertions(solve(found.program, INTERVAL), str(path))
    return {a.check.line for a in assertions} - {a.check.line for a in assertions if a.status is Status.UNPROVED}


def test_no_deadlock_that_happens_is_excluded(tmp_path: Path) -> None:
    runtime = compile_runtime(COMPILER, tmp_path)
    stuck = proved = 0
    noticed = lost = False
    for seed in reversed(range(COUNT)):  # so that what the defects cost is noticed soon
        path = tmp_path / f"{seed}.c"
        path.write_text(random_locks(seed), encoding="utf-8")
        program = AnnotatedProgram(path, ARGUMENTS, ())
        seen = execute(program, compile_program(program, COMPILER, runtime, tmp_path), seed=1, runs=RUNS)
        failed = {line for line, count in seen.failed.items() if count}
        budgets = tuple(MODES.values())[seed // 2 % len(MODES)](seed)
        free = excluded(path, budgets)
        assert not failed & free, f"seed {seed}: lines {sorted(failed & free)}"
        stuck, proved = stuck + len(failed), proved + len(free)
        with patch("duet.check.deadlocks.blocks", lambda *_: False):
            noticed = noticed or bool(failed & excluded(path, budgets))
        with patch("duet.check.deadlocks._kept", lambda *_: {}):
            lost = lost or bool(failed & excluded(path, budgets))
    assert stuck > COUNT, "hardly any deadlock happened"
    assert proved > COUNT, "hardly anything was proved"
    assert noticed, "an analysis that finds no circle is not noticed"
    assert lost, "an analysis that forgets what ended threads have is not noticed"
