"""What `strtok` keeps of the string that it splits: a string, for as long as the one that it was given is one.

*Source*: C11 7.24.5.8: no function of the C library calls it, so that only the program changes what it keeps, and code
of other libraries, in a call of that. *Approximates*: under: nothing is known of it where several threads use it.
"""

from __future__ import annotations

from duet.frontend.cells.context import Context
from duet.frontend.cells.foreign import has_foreign
from duet.frontend.judgments.marks import Mark
from duet.plip.syntax import Cell, Havoc
from duet.source import Span

_USERS: Mark[str] = Mark("threads that use strtok")
"""The mark of templates that call it."""


def cell(ctx: Context, span: Span) -> str:
    """The cell of this thread for where the rest begins that `strtok` keeps, which is null at first."""
    template = ctx.thread.template
    name = _name(ctx)
    if name not in ctx.memory.cells:
        ctx.memory.cells[name] = Cell(name, template, False, 0, 0, "what strtok keeps", span)
    ctx.facts.mark(_USERS, template)
    return name


def is_own(ctx: Context) -> bool:
    """Whether this thread is the only one that calls `strtok`, as far as is known."""
    users = ctx.facts.marked(_USERS)
    return users <= {ctx.thread.template} - set(ctx.facts.many) and not has_foreign(ctx)


def forget(ctx: Context) -> None:
    """Code that is not there may have called it."""
    if _name(ctx) in ctx.memory.cells:
        ctx.builder.flush()
        ctx.builder.emit(Havoc(_name(ctx)))


def _name(ctx: Context) -> str:
    return f"rest of strtok in {ctx.thread.template}"
