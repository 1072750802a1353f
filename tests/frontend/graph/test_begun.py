"""What the first thread does before it starts another one is known; no execution changes. Twins, and seeded defects."""

from __future__ import annotations

from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from duet.frontend.graph import begun as module
from duet.frontend.graph.begun import begun
from duet.plip.parser import parse_program
from duet.plip.printer import show_instruction
from duet.plip.syntax import Havoc, Program
from duet.plip.terms import satisfies
from tests.frontend.graph.compared import differs
from tests.frontend.running import statuses

COUNT = 120
ENOUGH = 400  # programs in which a seeded defect must show


def _writes(text: str, cell: str) -> list[str]:
    """What the first thread certainly may do to a cell, in order."""
    program = begun(parse_program(text, "t.plip"))
    own = (program.commands[index].instruction for index in program.templates["main"].commands)
    return [text for text in map(show_instruction, own) if text.startswith(f"{cell} :=")]


def test_rounds_are_done_one_by_one() -> None:
    loop = "while (i <= 2) { n := n + 1 i := i + 1 }"
    text = f"global n = 0 thread main {{ local i = 0 {loop} spawn T }} thread T {{ n := 0 }}"
    assert _writes(text, "n") == ["n := 1", "n := 2", "n := 3"]


@pytest.mark.parametrize(
    "body",
    [
        "local i = 0 spawn T while (i <= 2) { n := n + 1 i := i + 1 }",
        "local i = 0 local j  j := * in 1..2 while (i <= j) { n := n + 1 i := i + 1 } spawn T",
        "local i = 0 while (i <= 999) { n := n + 1 i := i + 1 } spawn T",
        "local i = 0 while (i <= 2) { n := n + 1 i := i + 1 spawn T }",
    ],
)
def test_what_is_not_known_stays_a_loop(body: str) -> None:
    assert _writes(f"global n = 0 thread main {{ {body} }} thread T {{ n := 0 }}", "n") == ["n := n + 1"]


def test_a_thread_that_is_started_again_is_as_it_was() -> None:
    program = parse_program("global n = 0 thread main { n := n + 1 spawn main }", "t.plip")
    assert begun(program) is program


def _random(seed: int) -> Program:
    """A first thread with loops and tests, before and behind the start of another one."""
    rng = Random(seed)

    def body(depth: int, names: tuple[str, ...]) -> str:
        return " ".join(statement(depth, names) for _ in range(rng.randint(1, 4)))

    def statement(depth: int, names: tuple[str, ...]) -> str:
        cell, other = rng.choice(names), rng.choice(names)
        match rng.choice(("if", "while", "set", "set", "copy", "step", "input", "check", "mod", "both", "put", "take")):
            case "if" if depth:
                asked = f"{cell} {rng.choice(('==', '!=', '<=', '>='))} {rng.randint(-1, 2)}"
                return f"if ({asked}) {{ {body(depth - 1, names)} }} else {{ {body(depth - 1, names)} }}"
            case "while" if depth:
                return f"while ({cell} <= {rng.randint(0, 2)}) {{ {body(depth - 1, names)} {cell} := {cell} + 1 }}"
            case "copy":
                return f"{cell} := {other}"
            case "step":
                return f"{cell} := {other} {rng.choice('+-')} 1"
            case "input" if rng.random() < 0.2:
                return f"{cell} := * in 0..1"
            case "check":
                return f"assert {cell} != {rng.randint(1, 3)}"
            case "both":
                return f"atomic {{ {cell} := {other} + 1 {other} := 0 }}"
            case "put":
                return f"u := {rng.randint(0, 2)}"
            case "take":
                return f"{cell} := u"
            case "mod":
                return f"{cell} := mod({other}, 2)"
            case _:
                return f"{cell} := {rng.randint(0, 2)}"

    first = ("a", "b", "x", "y")
    text = "global x = 0 global y in 0..1 global summary u = 0"
    rounds = f"while (k <= 1) {{ {body(2, first)} k := k + 1 }} {body(1, first)}"
    text += f" thread main {{ local a = 0 local b = 0 local k = 0 {rounds} spawn T {body(1, first)} assert x <= 2 }}"
    text += f" thread T {{ local c = 0 {body(1, ('c', 'x'))} }}"
    return parse_program(text, "t.plip")


def _differs(seed: int) -> bool | None:
    program = _random(seed)
    return differs(program, begun(program))


def test_a_program_does_what_it_did() -> None:
    answers = [_differs(seed) for seed in range(COUNT)]
    assert True not in answers
    assert answers.count(False) > COUNT // 3


VALUE = module._value
DEFECTS = {
    "started-threads-do-nothing": ("_is_followed", lambda _: True),
    "inputs-are-known": ("_Way._is_known", lambda *_: True),
    "ways-are-one": (
        "_may_hold",
        lambda condition, values: satisfies(condition, dict.fromkeys("aby", 0) | values),
    ),
    "inputs-are-small": ("_value", lambda step, known: step.lo if isinstance(step, Havoc) else VALUE(step, known)),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_seeded_defects_are_noticed(name: str) -> None:
    target, wrong = DEFECTS[name]
    with patch(f"{module.__name__}.{target}", wrong):
        assert any(_differs(seed) for seed in range(ENOUGH))


POOL = """
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t available;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int depth;
static void *session(void *unused) {
    sem_wait(&available);
    pthread_mutex_lock(&m);
    assert(depth >= 1);
    depth--;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    depth++;
    pthread_mutex_unlock(&m);
    sem_post(&available);
    return unused;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < COUNT; i++)
        depth++;
    sem_init(&available, 0, 3);
    pthread_create(&t, 0, session, 0);
    pthread_create(&t, 0, session, 0);
    pthread_create(&t, 0, session, 0);
    return 0;
}
"""


def test_what_is_filled_at_first_is_known_to_threads(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    assert all(found.is_safe for found in statuses(path, POOL.replace("COUNT", "3")))
    assert not all(found.is_safe for found in statuses(path, POOL.replace("COUNT", "2")))
