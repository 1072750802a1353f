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
from duet.verify.schedule import UNFOLLOWED, Schedule, schedule
from duet.verify.shorten import shortened

_TURN = 0.5
"""Of the time left, what each set of inputs may take but the last one."""
_SHORTER = 1.0
"""Seconds that may go into making the schedule of one check shorter."""


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
        for check, share in deadline.divided(left):
            part = deadline.share(share * (0.6 if is_exact else 1))
            how = _explored(program, check, replace(bounds, is_exact=is_exact), part, deadline, heard)
            if how is not None and (check not in found or not how.doubt):
                found[check] = how
    return found


def _explored(
    program: Program,
    check: Check,
    bounds: Bounds,
    deadline: Deadline,
    whole: Deadline,
    heard: Callable[[Check, str], object],
) -> Schedule | None:
    """A schedule in which a check fails, if one is found before the deadline; `whole` is the end of all the work."""
    part = sliced(program, {check})
    if bounds.is_exact:
        part = sliced(without_doubt(part), {check})
    large, sets = blocks(part), in_turn(part, bounds.is_exact)
    for turn, samples in enumerate(sets):
        until = deadline.share(_TURN) if turn < len(sets) - 1 else deadline
        found = explore(large.program, {check}, samples, bounds, until)
        if found.executions:
            run = found.executions[check]
            short = shortened(large.program, check, run, samples, bounds, whole.before(_SHORTER))
            return min(
                (schedule(program, part, large, one, samples) for one in (short, run)),
                key=lambda told: (told.doubt == UNFOLLOWED, told.doubt != ""),
            )
        if found.met:
            heard(check, f"{found.met}, of at most {bounds.threads} threads of a kind")
    return None
