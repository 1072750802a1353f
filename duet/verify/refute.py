"""Checks that fail, with schedules: first those that are schedules of the source, then those of the model only."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from duet.deadline import Deadline
from duet.plip.blocks import blocks
from duet.plip.sliced import sliced
from duet.plip.syntax import Assert, Program
from duet.result import Check
from duet.verify.explore import Bounds, explore
from duet.verify.samples import samples_of
from duet.verify.schedule import Schedule, schedule


def failing(
    program: Program, checks: Collection[Check], deadline: Deadline, bounds: Bounds | None = None
) -> Mapping[Check, Schedule]:
    """A schedule for each check that was found to fail; one without doubt where such a one was found."""
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
            for told, how in _explored(program, {check}, replace(bounds, is_exact=is_exact), part).items():
                if told not in found or (found[told].doubt and not how.doubt):
                    found[told] = how
    return found


def _explored(
    program: Program, checks: Collection[Check], bounds: Bounds, deadline: Deadline
) -> Mapping[Check, Schedule]:
    part = sliced(program, checks)
    large, samples = blocks(part), samples_of(part)
    runs = explore(large.program, checks, samples, bounds, deadline)
    return {check: schedule(program, part, large, run, samples) for check, run in runs.items()}
