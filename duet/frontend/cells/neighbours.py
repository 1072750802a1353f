"""Bit-fields that lie in one memory location and that different threads write.

A processor has no access to a bit-field alone: who writes one may also put back older values of those next to it (C11
3.14), so that what another thread writes there meanwhile is lost. That is a data race, but no step of the program as it
is analysed; so where nobody asks for data races it is an assumption that it does not happen.
"""

from __future__ import annotations

from collections import defaultdict

from duet.frontend.cells.context import Context
from duet.frontend.cells.sharing import canonical
from duet.plip.multiplicity import many
from duet.plip.syntax import Program
from duet.plip.touched import writes

ASSUMED = "threads that write bit-fields next to each other lose nothing of what others write (data-race checks that)"


def assume_kept(ctx: Context, program: Program) -> None:
    """Adds the assumption where it is made, with its places. *Approximates*: over; an order of threads is not seen."""
    if ctx.wants("data-race"):
        return
    repeated, writers = many(program), defaultdict(set)
    for command in program.commands:
        for cell in writes(command.instruction) & ctx.memory.places.keys():
            place = ctx.memory.places[cell]
            steps, _ = canonical(ctx.memory.types, place.object, place.path)
            if steps and "/" in steps[-1]:
                members = tuple(step for step in steps if not step.startswith("["))
                writers[place.object.key, members].add((cell, program.template_of[command.source], command.span))
    for found in writers.values():
        templates = {template for _, template, _ in found}
        if len({cell for cell, _, _ in found}) > 1 and (len(templates) > 1 or templates & repeated):
            for _, _, span in found:
                ctx.findings.assume_at(span or ctx.span(None), ASSUMED)
