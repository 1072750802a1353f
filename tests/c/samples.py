"""Samples of the annotated programs, as parameters of tests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import pytest
from _pytest.mark import ParameterSet

from tests.c.annotations import AnnotatedProgram, name

IN_FULL = frozenset({"deadlocks", "races", "rwlocks"})
"""Topics whose programs are short, and of which each one is about another rule."""
SHORT = 1_100
"""The most characters of a program that is looked at in any case."""
COSTLY = frozenset({"scaled/price_cut", "sums/three_accounts_unlocked"})
"""Short ones that take seconds all the same."""


def sample(programs: Sequence[AnnotatedProgram], every: int) -> list[ParameterSet]:
    """Programs as parameters; all but the shortest one of so many neighbours are slow, and that one if it is long."""
    chunks = (programs[start : start + every] for start in range(0, len(programs), every))
    taken = {name(program) for program in (min(chunk, key=_length) for chunk in chunks) if _is_short(program)}
    return [pytest.param(one, id=name(one), marks=() if name(one) in taken else pytest.mark.slow) for one in programs]


def of_each_topic(programs: Sequence[AnnotatedProgram]) -> tuple[str, ...]:
    """The names of the shortest program of each topic that has a short one, and of all short ones of some topics."""
    topics = defaultdict(list)
    for program in programs:
        if _is_short(program):
            topics[program.path.parent.name].append(program)
    return tuple(
        name(program)
        for topic, found in topics.items()
        for program in (found if topic in IN_FULL else [min(found, key=_length)])
    )


def _is_short(program: AnnotatedProgram) -> bool:
    return _length(program) <= SHORT and name(program) not in COSTLY


def _length(program: AnnotatedProgram) -> int:
    return len(program.path.read_text(encoding="utf-8"))
