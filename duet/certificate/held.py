"""The part of an analysis that a certificate shows, where threads count together.

The checker follows the argument for counts with less than the analysis has: of globals it has the layers before, not
what the analysis of parts knows of them, and it decides in its own way which threads can meet. Where that is not enough
a layer would be refused, and all that is proved by it and by those after it. So such layers are tried here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from duet.certificate.check import hold
from duet.certificate.emit import layers_of, needed
from duet.certificate.knowledge import Answers
from duet.coarsen.results import Analysis, Fixpoint
from duet.deadline import Deadline, OutOfTime
from duet.plip.syntax import Program

_SECONDS = 60.0
_SHARE = 0.5  # of the time that is left


def held(program: Program, analysis: Analysis, deadline: Deadline) -> Analysis:
    """The analysis of a program in which fixpoints count as not shown that a checker refuses for what they count.

    Those are left out that count, and if need be also all after them, which may rest on them. Layers before them stay
    as they are, also wrong ones. If the time is up before it is known, all are left out from the first that counts on.
    """
    if all(fixpoint.counted is None for fixpoint in analysis.fixpoints):
        return analysis
    *choices, last = _choices(analysis)
    answers: Answers = {}
    with suppress(OutOfTime):
        limit = deadline.share(_SHARE).before(_SECONDS)
        for choice in choices:
            if hold(program, needed(tuple(layers_of(program, choice.fixpoints))), limit, answers):
                return choice
    return last


def _choices(analysis: Analysis) -> Iterator[Analysis]:
    """With all fixpoints, without those that follow threads, without all that count, with those before these."""
    fixpoints = analysis.fixpoints
    first = next(index for index, fixpoint in enumerate(fixpoints) if fixpoint.counted is not None)
    yield analysis
    if any(fixpoint.are_followed for fixpoint in fixpoints):
        yield replace(analysis, fixpoints=tuple(_hidden(it) if it.are_followed else it for it in fixpoints))
    yield replace(analysis, fixpoints=tuple(_hidden(it) if it.counted is not None else it for it in fixpoints))
    yield replace(analysis, fixpoints=(*fixpoints[:first], *map(_hidden, fixpoints[first:])))


def _hidden(fixpoint: Fixpoint) -> Fixpoint:
    """A fixpoint without what a certificate could say of it."""
    return replace(fixpoint, steps=(), joint=None, counted=None)
