"""Intrinsics that the Linux model headers are written with."""

from __future__ import annotations

from pycparser import c_ast

from duet.frontend.access import havoc_any
from duet.frontend.context import Context, Outcome
from duet.frontend.models.call import Call, answer, done
from duet.frontend.models.locks import acquire_place, release_place
from duet.frontend.types import INT, ULONG


def havoc(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_havoc(lvalue)`: any value of its type."""
    havoc_any(ctx, call.place(ctx, 0), call.node)
    return done(ctx)


def acquire(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_acquire(&lock)`."""
    acquire_place(ctx, call.target(ctx, 0), call)
    return done(ctx)


def release(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_release(&lock)`."""
    release_place(ctx, call.target(ctx, 0), call)
    return done(ctx)


def assembler(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_asm(...)`: everything an inline assembler may write holds anything."""
    for argument in call.arguments:
        if isinstance(argument, c_ast.UnaryOp) and argument.op == "&":
            havoc_any(ctx, call.place(ctx, call.arguments.index(argument)), call.node)
    ctx.warn(call.node, "inline-assembler", "inline assembler: only its outputs are taken to change")
    return done(ctx)


def offset_of(ctx: Context, call: Call) -> list[Outcome]:
    """offsetof(type, member): not negative."""
    del call
    return answer(ctx, ctx.havoc(ULONG))


def variadic(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_va_arg(list)`: any value."""
    ctx.warn(call.node, "variadic", "variable arguments are not tracked: any value is assumed")
    return answer(ctx, ctx.havoc(INT))
