"""Intrinsics that the Linux model headers are written with."""

from __future__ import annotations

from pycparser import c_ast

from duet.errors import Unsupported
from duet.frontend.access import havoc_any
from duet.frontend.context import Context, Outcome
from duet.frontend.models.call import Call, answer, done
from duet.frontend.models.locks import perform, set_to, takes
from duet.frontend.models.unknown import clobber
from duet.frontend.types import INT, ULONG, VOID, StructType
from duet.frontend.values import Untracked, literal


def havoc(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_havoc(lvalue)`: any value of its type."""
    havoc_any(ctx, call.place(ctx, 0), call.node)
    return done(ctx)


def acquire(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_acquire(&lock)`."""
    return _finished(perform(ctx, call.target(ctx, 0), call, takes, (0,)))


def release(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_release(&lock)`."""
    return _finished(perform(ctx, call.target(ctx, 0), call, set_to(0), (0,)))


def _finished(found: list[Outcome]) -> list[Outcome]:
    """The outcomes of an operation without a result."""
    return [(place, Untracked(VOID)) for place, _ in found]


def assembler(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_asm(...)`: its outputs, and everything reachable from what it is given, hold anything."""
    for position, argument in enumerate(call.arguments):
        if isinstance(argument, c_ast.UnaryOp) and argument.op == "&":
            havoc_any(ctx, call.place(ctx, position), call.node)
    clobber(ctx, call.evaluate_all(ctx), call)
    ctx.warn(call.node, "inline-assembler", "inline assembler: any change of what its operands reach is assumed")
    return done(ctx)


def offset_of(ctx: Context, call: Call) -> list[Outcome]:
    """offsetof(type, member), for a member that is named alone; any value for other designators."""
    kind = ctx.memory.types.read(call.arguments[0], ctx.scope)
    member = call.arguments[1]
    if isinstance(kind, StructType) and isinstance(member, c_ast.ID):
        return answer(ctx, literal(ctx.memory.types.offset(kind, member.name), ULONG))
    ctx.warn(call.node, "offsetof", "the offset of a part of a member is not modelled: any value is assumed")
    return answer(ctx, ctx.havoc(ULONG))


def jump(ctx: Context, call: Call) -> list[Outcome]:
    """setjmp, longjmp and the like, which no graph of this program shows. *Raises*: Unsupported."""
    raise Unsupported(f"'{call.name}' jumps between functions, which is not modelled", ctx.span(call.node))


def variadic(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_va_arg(list)`: any value."""
    ctx.warn(call.node, "variadic", "variable arguments are not tracked: any value is assumed")
    return answer(ctx, ctx.havoc(INT))
