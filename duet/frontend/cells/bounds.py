"""The checks that accesses through pointers stay inside of an object (`array-bounds`)."""

from __future__ import annotations

from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number
from duet.frontend.ctypes.types import BOOL, ArrayType, VoidType
from duet.frontend.ctypes.values import (
    ANYTHING,
    EXTERNAL,
    Address,
    Index,
    Indirect,
    Number,
    Object,
    Value,
    addresses,
    truth,
)
from duet.frontend.source.nodes import Node
from duet.plip.syntax import FALSE, Formula, Linear
from duet.plip.terms import add, compare, conjunction, constant, disjunction


def bounds_check(ctx: Context, place: Indirect, node: Node) -> None:
    """Emits the check of an access through a pointer where that has been moved, or may be too large for its object.

    *Requires*: no read is deferred.
    """
    if not ctx.wants("array-bounds") or isinstance(place.base, VoidType) or _is_generated(ctx, node):
        return
    size = ctx.memory.types.size(place.base)
    known = _objects(ctx, place.address)
    is_one = len(known) == 1 and len(addresses(place.address.origins)) == 1
    is_listed = is_one and isinstance(known[0].type, ArrayType) and bool(place.address.term.terms)
    if not is_listed and not _may_be_outside(ctx, place, known, size):
        return
    _emit(ctx, node, _within(ctx, place.address, known, None if size is None else constant(size)))


def index_check(ctx: Context, step: Index, node: Node, is_access: bool = True) -> None:
    """Emits the check that an index is inside of its array, or without an access at most behind the last element."""
    if step.length is None or step.term is None:
        unknown_check(ctx, node)
        return
    top = step.length - (1 if is_access else 0)
    ctx.builder.flush()
    fine = conjunction((compare(step.term, ">=", constant(0)), compare(step.term, "<=", constant(top))))
    ctx.check(node, "array-bounds", fine)


def bytes_check(ctx: Context, count: Number, node: Node, *pointers: Value) -> None:
    """Emits the checks that so many bytes behind pointers are part of one object each."""
    if not ctx.wants("array-bounds") or count.constant == 0:
        return
    for pointer in pointers:
        if not isinstance(pointer, Address | Number):
            continue
        address = number(ctx, pointer)
        known = _objects(ctx, address)
        if known or _is_moved(ctx, address):
            ctx.builder.flush()
            _emit(ctx, node, _within(ctx, address, known, count.term))


def unknown_check(ctx: Context, node: Node) -> None:
    """Emits a check of an access of which nobody knows whether it stays inside of its object: it may hold or not."""
    ctx.builder.flush()
    ctx.check(node, "array-bounds", truth(ctx.havoc(BOOL)))


def _emit(ctx: Context, node: Node, fine: Formula | None) -> None:
    if fine is None:
        unknown_check(ctx, node)
    else:
        ctx.check(node, "array-bounds", fine)


def _objects(ctx: Context, address: Number) -> list[Object]:
    """The objects that an address may be in, as far as they are known."""
    return [ctx.memory.objects[name] for name in sorted(address.origins) if name in ctx.memory.objects]


def _within(ctx: Context, address: Number, known: list[Object], size: Linear | None) -> Formula | None:
    """That some bytes from an address on are in one of the objects that it may point into; None if nobody knows."""
    if size is None or addresses(address.origins) & {ANYTHING, EXTERNAL}:
        return None
    fine: list[Formula] = []
    for of in known:
        whole = _size(ctx, of)
        if whole is None or ctx.memory.is_multiple(of):
            return None
        base = ctx.memory.base_term(of).term
        last = add(add(base, constant(whole)), size, -1)
        fine.append(conjunction((compare(address.term, ">=", base), compare(address.term, "<=", last))))
    return disjunction(fine) if fine else FALSE


def _is_generated(ctx: Context, node: Node) -> bool:
    """Whether a node is in a text that has no file, such as the harness: it stays inside of what it is given."""
    return ctx.span(node).file.startswith("<")


def _may_be_outside(ctx: Context, place: Indirect, known: list[Object], size: int | None) -> bool:
    """Whether a pointer was moved, or points to objects that may be smaller than what is accessed."""
    return _is_moved(ctx, place.address) or any(not _holds(ctx, of, size) for of in known)


def _is_moved(ctx: Context, address: Number) -> bool:
    """Whether a pointer to what an address may be in was moved somewhere."""
    return any(origin in ctx.facts.steps or origin in ctx.facts.moved for origin in addresses(address.origins))


def _holds(ctx: Context, of: Object, size: int | None) -> bool:
    """Whether an object is as large as what is accessed at its start; one that is allocated is, if it can be."""
    whole = _size(ctx, of)
    return of.kind == "heap" if whole is None or size is None else size <= whole


def _size(ctx: Context, of: Object) -> int | None:
    """The bytes of an object, if they are known."""
    if of.kind == "heap":
        return ctx.facts.sizes.get(of.key)
    return ctx.memory.types.size(of.type)
