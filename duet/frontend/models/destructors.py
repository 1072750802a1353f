"""Destructors of what a thread keeps by keys: the thread runs them where it ends, behind its cleanup handlers.

A value that is not null is made null, and the destructor of its key is called with it; in which order of the keys is
open (POSIX on pthread_key_create; C11 7.26.6.1). Where destructors keep something again that goes on, four times at
least, and then for as long as the implementation likes: here until the value of each key is null, or its destructor
was called. A thread that returns from `main` ends the process instead.

Where a thread may be cancelled, or where it is not known which key is meant, destructors run at any time, as handlers
do (`keys.are_any_time`). *Approximates*: over.
"""

from __future__ import annotations

from duet.frontend.cells.context import Context
from duet.frontend.ctypes.values import Number
from duet.frontend.judgments.identity import HANDLER
from duet.frontend.models import keys
from duet.frontend.models.keys import Destructor
from duet.plip.syntax import SKIP, Assign, Cell, Guard
from duet.plip.terms import compare, conjunction, constant, disjunction, variable

_AGAIN = "how often destructors are called that keep something again is open"
_DELETED = "a key may be deleted: then its destructor is not called"


def last(ctx: Context) -> int:
    """Where a thread goes that ends here: to its destructors, or to its exit if it has none."""
    return ctx.builder.last if _found(ctx) else ctx.builder.exit


def run(ctx: Context) -> None:
    """What a thread does between `last` and its exit, once all of it is lowered but for that."""
    builder, found = ctx.builder, _found(ctx)
    if not found:
        return
    builder.flush()
    builder.at(builder.last)
    values = {it.key: _value(ctx, it) for it in found}
    builder.flush()
    head = builder.current
    builder.given.add(head)  # the order of the keys
    nothing, done = [], []
    for key, value in values.items():
        nothing.append(compare(value.term, "==", constant(0)))
        ended = (compare(variable(cell), "==", constant(1)) for cell in (_called(ctx, key), keys.deleted(ctx, key)))
        done.append(disjunction((nothing[-1], *ended)))
    for it in found:
        builder.at(head)
        builder.emit(Guard(compare(values[it.key].term, "!=", constant(0))))
        keys.forget(ctx, it.key, it.node)
        builder.emit(Assign(_called(ctx, it.key), constant(1)))
        with ctx.at_node(it.node):
            ctx.hooks.run(ctx, it.function, (values[it.key],), it.node)
        builder.goto(builder.last)
    builder.at(head)
    builder.edge(Guard(conjunction(nothing)), builder.exit)
    builder.edge(Guard(conjunction(done)), builder.exit, mark=_AGAIN)
    if keys.may_be_deleted(ctx):
        builder.edge(SKIP, builder.exit, mark=_DELETED)
    builder.dead()


def _value(ctx: Context, of: Destructor) -> Number:
    value = keys.find(ctx, of.key, of.node)
    assert isinstance(value, Number)
    return value


def _found(ctx: Context) -> list[Destructor]:
    """The destructors of what threads of the template keep, if they run these where they end."""
    template = ctx.thread.template
    if keys.are_any_time(ctx) or template in ctx.facts.marked(HANDLER):
        return []
    kept = {key for keeper, key in ctx.facts.marked(keys.KEEPERS) if keeper == template}
    found = (it for it in ctx.facts.marked(keys.DESTRUCTORS) if it.key in kept)
    return sorted(found, key=lambda it: (it.key, it.function))


def _called(ctx: Context, key: str) -> str:
    """The cell of a thread that says whether it has called the destructor of a key."""
    name = f"{ctx.thread.template}::{keys.KEPT} {key} destroyed"
    if name not in ctx.memory.cells:
        ctx.memory.cells[name] = Cell(
            name, ctx.thread.template, False, 0, 0, "a destructor was called", ctx.builder.span
        )
    return name
