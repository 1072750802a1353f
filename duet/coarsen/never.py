"""Checks that hold as nothing gets to where they could fail, told apart from those whose code is never executed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

from duet.coarsen.results import Analysis
from duet.plip.syntax import Program
from duet.result import Assertion, Check, Status
from duet.source import Span

Place: TypeAlias = tuple[str, int, int]
"""A file, a line and a column."""
ELSEWHERE = "no thread gets there"


def places(program: Program, reached: Iterable[int] | None = None) -> frozenset[Place]:
    """Where commands stand in the source: all of them, or those from some locations."""
    there = None if reached is None else frozenset(reached)
    found = (command for command in program.commands if there is None or command.source in there)
    return frozenset(_place(command.span) for command in found if command.span is not None)


def told_apart(verdicts: Iterable[Assertion], analysis: Analysis, early: frozenset[Place]) -> tuple[Assertion, ...]:
    """Verdicts in which a check whose place is executed is not called unreachable; a first look gets to `early` places.

    Where C takes one of several ways by where a pointer leads, or by what a library function gives, the check stands
    on each of them on which it may fail: if nothing gets to these, it holds in every execution, and its place may well
    be executed. Likewise for a check of which no copy is left. It is safe either way.
    """
    found = tuple(verdicts)
    asked = {_place(one.check) for one in found if one.status is Status.UNREACHABLE}
    there = _executed(analysis, early & asked)
    run = {(one.check.file, one.check.function) for one in found if one.status is not Status.UNREACHABLE}
    return tuple(_told(one, there, (one.check.file, one.check.function) in run) for one in found)


def _executed(analysis: Analysis, places: frozenset[Place]) -> frozenset[Place]:
    """Of some places, those that every configuration gets to.

    *Approximates*: over, as invariants do; what nobody gets to is in none of them.
    """
    sources: dict[Place, set[int]] = {place: set() for place in places}
    for command in analysis.program.commands:
        if command.span is not None and _place(command.span) in sources:
            sources[_place(command.span)].add(command.source)
    bottoms = [fixpoint.invariants.is_bottom for fixpoint in analysis.fixpoints]
    return frozenset(
        place for place, there in sources.items() if all(not all(map(is_bottom, there)) for is_bottom in bottoms)
    )


def _told(assertion: Assertion, there: frozenset[Place], is_run: bool) -> Assertion:
    if assertion.status is not Status.UNREACHABLE:
        return assertion
    if _place(assertion.check) in there:
        return replace(assertion, status=Status.PROVED, reason="nothing gets to where it could fail", invariant="")
    return replace(assertion, reason=ELSEWHERE) if assertion.reason and is_run else assertion


def _place(at: Span | Check) -> Place:
    return at.file, at.line, at.column
