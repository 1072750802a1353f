"""How many of a kind were made so far, counted while the program runs, so that each gets something of its own.

Only where schedules are looked for (`Budgets.first_allocations`): what a place makes several times has any address or
id else, which may be that of another one.
"""

from __future__ import annotations

from duet.frontend.cells.context import Context
from duet.frontend.ctypes.types import ADDRESS
from duet.plip.syntax import Assign, Atomic, Cell, Formula, Guard
from duet.plip.terms import add, compare, constant, variable


def number_told_apart(ctx: Context) -> int:
    """How many of those that one place makes are told apart from the others; 0 where nothing is counted."""
    return max(0, ctx.options.budgets.first_allocations)


def count_of(ctx: Context, key: str, what: str) -> str:
    """The cell that counts."""
    name = f"{key}#"
    if name not in ctx.memory.cells:
        ctx.memory.cells[name] = Cell(name, None, False, 0, 0, f"number of {what}", ctx.builder.span)
    return name


def take(ctx: Context, count: str, passed: Formula) -> str:
    """Counts one more where the count so far is as it should be, in one step; a cell with the count before."""
    name = ctx.temporary(ADDRESS)
    more = Assign(count, add(variable(count), constant(1)))
    ctx.builder.emit(Atomic((Guard(passed), Assign(name, variable(count)), more)))
    return name


def fresh(ctx: Context, key: str, what: str, most: int) -> str:
    """A cell with a number below `most` that nobody else gets for a key."""
    count = count_of(ctx, key, what)
    ctx.builder.flush()
    return take(ctx, count, compare(variable(count), "<", constant(most)))
