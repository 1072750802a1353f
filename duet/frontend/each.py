"""Each function by itself: a program whose checks are known long before the whole is read, and hold in the whole, too.

Every function of the user is run by any number of threads, with any arguments. What it calls of the others may do
anything, give anything, and jump back to where `setjmp` was called; they run for themselves. Nothing is known but of
automatic objects, as long as nobody else may have their address: all else in memory, and whatever models keep besides,
holds anything at any time. So all that an activation of a function can do in the whole program one of these threads can
do, whoever calls it, and when.

That is one lowering in which no call is copied: it takes a small part of the time. *Approximates*: over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from duet.errors import SourceError
from duet.frontend.cells import size
from duet.frontend.cells.arguments import note_addressed
from duet.frontend.cells.context import Context
from duet.frontend.form.bodies import Forms
from duet.frontend.judgments.facts import Facts
from duet.frontend.lower import ROUNDS, Formed, begin_round, follow_pointers, is_users
from duet.frontend.models import anything, registrations
from duet.frontend.program import Threads, TooManyCopies, outline, run_first, start_template
from duet.frontend.source.deep import call_deep
from duet.frontend.source.parse import ParsedUnit
from duet.options import FrontendOptions
from duet.plip.multiplicity import many
from duet.plip.opened import opened
from duet.plip.syntax import Program

OF_VALUES = ("assertion", "unreach-call", "array-bounds", "overflow", "division-by-zero", "null-dereference")
"""The properties that depend on values only: what has been given back, or is held, is not known of a caller."""
MOST_COMMANDS = 400_000
"""Commands of the program: what has more takes minutes."""
LEAST_LINES = 500
"""Lines of functions of the user: less is read in a second or so."""


def each_function(
    units: Sequence[ParsedUnit], options: FrontendOptions, formed: Formed | None = None
) -> Program | None:
    """The program of all functions, each by itself; None where it would say nothing, or tell too little too late.

    All that it forms is in `formed` then.
    """
    asked = tuple(name for name in options.properties if name in OF_VALUES)
    lines = sum(extent.lines for unit in units for extent in unit.extents if unit.places.is_users(extent.span.file))
    if options.model is not None or not asked or lines < LEAST_LINES:
        return None
    budgets = replace(options.budgets, template_commands=MOST_COMMANDS)
    options = replace(options, properties=asked, parameterized=True, entries=(), init=None, budgets=budgets)
    try:
        return call_deep(lambda: _lowered(tuple(units), options, formed or Formed(tuple(units), options)))
    except (TooManyCopies, SourceError):  # of the latter the whole program tells
        return None


def _lowered(units: tuple[ParsedUnit, ...], options: FrontendOptions, formed: Formed) -> Program | None:
    """The program once a round adds no fact."""
    facts = formed.begun()
    facts.by_itself = True
    size.note_large(facts)
    ctx: Context | None = None
    for number in range(ROUNDS):
        before = facts.growth.version, facts.meanings
        ctx, threads = _round(units, options, facts, formed.by(facts), ctx)
        ctx.end_round()
        program = outline(ctx, threads)
        repeated = sorted(many(program))
        facts.many.add(*repeated)
        facts.objects.repeated.add(*ctx.sites.allocated_in(repeated))
        follow_pointers(ctx, options)
        note_addressed(ctx)
        facts.objects.untracked.add(*anything.reached_by_called(ctx))
        if number:  # hardly any chain of facts is longer where nothing is copied
            facts.pointers.wild.add(*sorted(ctx.unresolved))
            registrations.note_losses(ctx, threads.settled)
        if (facts.growth.version, facts.meanings) == before:
            return opened(program, _automatic(ctx, program))
    return None


def _round(
    units: tuple[ParsedUnit, ...], options: FrontendOptions, facts: Facts, forms: Forms, earlier: Context | None
) -> tuple[Context, Threads]:
    """One lowering of all functions with the facts known so far."""
    threads = Threads()
    ctx = begin_round(units, options, facts, forms, earlier, threads)
    threads.together = frozenset(ctx.declared.functions)  # whoever starts one: it does no more than by itself
    start_template(ctx, "main")
    builder = ctx.builder
    for key, definition in ctx.declared.functions.items():
        if key == "main" or not is_users(ctx, units, key):
            continue
        with ctx.at_node(definition.node.decl):
            command = threads.spawn(ctx, key, None, definition.node.decl, 0)
            loop = builder.outside()
            builder.goto(loop)
            builder.at(loop)
            builder.edge(command, loop)
    if "main" in ctx.declared.functions:  # the first thread by this name is there already
        run_first(ctx, ctx.declared.functions["main"])
    threads.lower_main(ctx, "main")
    threads.lower_all(ctx)
    return ctx, threads


def _automatic(ctx: Context, program: Program) -> frozenset[str]:
    """The cells of automatic objects and of temporary values, one for each activation of a function."""
    places = ctx.memory.places
    return frozenset(
        name
        for name, cell in program.cells.items()
        if cell.is_own and (name.startswith("$") or (name in places and places[name].object.kind == "local"))
    )
