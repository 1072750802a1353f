"""Automatic objects of the current call, and copies of structures in them."""

from __future__ import annotations

from duet.frontend.cells import rereads
from duet.frontend.cells.access import write
from duet.frontend.cells.context import Context
from duet.frontend.ctypes.types import CType
from duet.frontend.ctypes.values import Direct, Object, Value, Whole
from duet.frontend.source.nodes import Node


def local_object(ctx: Context, name: str, kind: CType, node: Node) -> Object:
    """A new automatic object of the current call."""
    frame = ctx.thread.frame
    is_of_file = frame.function.startswith(f"{frame.prefix}@")  # static functions of one name are told apart
    key = ctx.unique(f"{frame.function if is_of_file else frame.prefix}::{name}")
    of = Object(key, kind, "local", ctx.thread.template, name, ctx.span(node))
    ctx.memory.declare(of, None)
    rereads.note_beginning(ctx, of)
    ctx.thread.frame.cells.append(key)
    return of


def own_copy(ctx: Context, found: Value, name: str, node: Node) -> Value:
    """A structure as it is now, in an object of this call; other values are as they were."""
    if not isinstance(found, Whole) or not ctx.thread.frames:
        return found
    own = Direct(local_object(ctx, name, found.type, node), (), found.type)
    write(ctx, own, found, node)
    ctx.builder.flush()
    return Whole(own, found.type)
