"""Checks that hold as nothing gets to where they could fail, told apart from those whose code is never executed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

from duet.coarsen.results import Analysis
from duet.plip.syntax import Program
from duet.result import Assertion, Status
from duet.source import Span

Place: TypeAlias = tuple[str, int, int]
"""A file, a line and a column."""
ELSEWHERE = "no thread gets there"


def places(program: Program, reached: Iterable[int] | None = None) -> frozenset[Place]:
    """Where commands stand in the source: all of them, or those from some locations."""
    there = None if reached is None else frozenset(reached)
    found = (command for command in program.commands if there is None or command.source in there)
    return frozenset(_place(command.span) for command in found if command.span is not None)


def executed(analysis: Analysis, early: frozenset[Place]) -> frozenset[Place]:
    """Of the places that a first look gets to, those that every configuration gets to.

    *Approximates*: over, as invariants do; what nobody gets to is in none of them.
    """
    found = early
    for fixpoint in analysis.fixpoints:
        is_bottom = fixpoint.invariants.is_bottom
        found &= places(analysis.program, (location for location in _sources(analysis) if not is_bottom(location)))
    return found


def told_apart(verdicts: Iterable[Assertion], there: frozenset[Place]) -> tuple[Assertion, ...]:
    """Verdicts in which a check whose place is executed is not called unreachable.

    Where C takes one of several ways by where a pointer leads, or by what a library function gives, the check stands
    on each of them on which it may fail: if nothing gets to these, it holds in every execution, and its place may well
    be executed. Likewise for a check of which no copy is left. It is safe either way.
    """
    found = tuple(verdicts)
    run = {(one.check.file, one.check.function) for one in found if one.status is not Status.UNREACHABLE}
    return tuple(_told(one, there, (one.check.file, one.check.function) in run) for one in found)


def _told(assertion: Assertion, there: frozenset[Place], is_run: bool) -> Assertion:
    if assertion.status is not Status.UNREACHABLE:
        return assertion
    check = assertion.check
    if (check.file, check.line, check.column) in there:
        return replace(assertion, status=Status.PROVED, reason="nothing gets to where it could fail", invariant="")
    return replace(assertion, reason=ELSEWHERE) if assertion.reason and is_run else assertion


def _sources(analysis: Analysis) -> frozenset[int]:
    return frozenset(command.source for command in analysis.program.commands)


def _place(span: Span) -> Place:
    return span.file, span.line, span.column
