"""Checks that fail, with schedules: first those that are schedules of the source, then those of the model only."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from duet.deadline import Deadline
from duet.plip.blocks import blocks
from duet.plip.sliced import sliced
from duet.plip.syntax import Assert, Program
from duet.result import Check
from duet.verify.actions import without_doubt
from duet.verify.explore import explore
from duet.verify.room import Bounds
from duet.verify.samples import in_turn
from duet.verify.schedule import Schedule, schedule

_TURN = 0.5
"""Of the time left, what each set of inputs may take but the last one."""


def failing(
    program: Program,
    checks: Collection[Check],
    deadline: Deadline,
    bounds: Bounds | None = None,
    heard: Callable[[Check, str], object] = lambda *_: None,
) -> Mapping[Check, Schedule]:
    """A schedule for each check that was found to fail; one without doubt where such a one was found.

    `heard` is told, in words, which bound on states was met in looking for that of a check.
    """
    bounds = bounds or Bounds()
    there = {c.instruction.check for c in program.commands if isinstance(c.instruction, Assert)}
    wanted = sorted(set(checks) & there)
    found: dict[Check, Schedule] = {}
    for is_exact in (True, False):
        left = [check for check in wanted if check not in found or found[check].doubt]
        for position, check in enumerate(left):
            if check in found and not found[check].doubt:
                continue
            part = deadline.share((1 if not is_exact else 0.6) / (len(left) - position))
            for told, how in _explored(program, check, replace(bounds, is_exact=is_exact), part, heard).items():
                if told not in found or (found[told].doubt and not how.doubt):
                    found[told] = how
    return found


def _explored(
    program: Program, check: Check, bounds: Bounds, deadline: Deadline, heard: Callable[[Check, str], object]
) -> Mapping[Check, Schedule]:
    part = sliced(program, {check})
    if bounds.is_exact:
        part = sliced(without_doubt(part), {check})
    large, sets = blocks(part), in_turn(part, bounds.is_exact)
    for turn, samples in enumerate(sets):
        until = deadline.share(_TURN) if turn < len(sets) - 1 else deadline
        found = explore(large.program, {check}, samples, bounds, until)
        if found.executions:
            return {check: schedule(program, part, large, run, samples) for check, run in found.executions.items()}
        if found.met:
            heard(check, f"{found.met}, of at most {bounds.threads} threads of a kind")
    return {}
