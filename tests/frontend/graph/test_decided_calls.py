"""What a thread has decided is known behind calls of shared bodies; nothing else changes for who comes back there."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from duet.frontend.graph import decided as module
from duet.frontend.graph.decided import decided
from duet.plip import returns
from duet.plip.returns import call_of
from duet.plip.syntax import Program, steps
from tests.plip.shared_bodies import CELLS, after_steps, random_program

DEPTH = 3
"""Calls at most that an execution is in."""
RECENT = 8
"""Commands of an execution that are compared."""
COUNT = 150
ENOUGH = 400  # programs in which a seeded defect must show
KEPT = (4371, 6263)  # programs whose calls come back with a value in a body that is called


def _executed(program: Program) -> tuple[set[object], bool]:
    """By their marks, the last few commands of executions that come back where they called, with what cells hold behind
    them, and whether these are all executions.
    """
    start = (program.templates["main"].entry, (), dict.fromkeys(CELLS, 0), ())
    work: list[tuple[int, tuple[int, ...], dict[str, int], tuple[str, ...]]] = [start]
    seen, found, is_whole = set[object](), set[object](), True
    while work:
        place, calls, store, last = work.pop()
        for index in program.outgoing[place]:
            command = program.commands[index]
            number = call_of(command.instruction)
            if number < 0 and -number not in calls:
                continue
            inner: tuple[int, ...] = (*calls, number) if number > 0 else calls
            if number < 0:  # out of a body by a jump: behind a call further out
                inner = calls[: len(calls) - 1 - calls[::-1].index(-number)]
            if len(inner) > DEPTH:
                is_whole = False
                continue
            behind = (*last, command.approximates)[-RECENT:]
            for after in after_steps(store, steps(command.instruction)):
                found.add((behind, *after.values()))
                state = (command.target, inner, behind, *after.values())
                if state not in seen:
                    seen.add(state)
                    work.append((command.target, inner, after, behind))
    return found, is_whole


def _differs(seed: int) -> bool | None:
    """Whether a program ends otherwise with ways told apart; None where they are not."""
    program = random_program(seed)
    other = decided(program)
    return None if other.commands == program.commands else _executed(program) != _executed(other)


def test_executions_that_come_back_where_they_called_are_the_same() -> None:
    answers = [_differs(seed) for seed in range(COUNT)]
    assert True not in answers
    assert answers.count(False) > COUNT // 4


TOUCHED = module.Calls.touched
DEFECTS = {
    "bodies-touch-nothing": (module.Calls, "touched", lambda *_: frozenset()),
    "bodies-leave-a-cell-alone": (module.Calls, "touched", lambda self, number: TOUCHED(self, number) - {"b"}),
    "what-comes-back-touches-nothing": (returns, "chain", lambda inside, *_: inside),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_seeded_defects_are_noticed(name: str) -> None:
    with patch.object(*DEFECTS[name]):
        assert any(_differs(seed) for seed in (*KEPT, *range(ENOUGH)))
