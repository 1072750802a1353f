"""Assignments, compound assignments and ++/--; on `_Atomic` objects each is one step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from duet.frontend.cells.access import read, write
from duet.frontend.cells.arithmetic import binary, incremented
from duet.frontend.cells.context import Context, Outcome
from duet.frontend.cells.convert import convert, merged, number, settled, snapshot
from duet.frontend.cells.memory import CellAt
from duet.frontend.ctypes.types import IntType, PointerType, is_scalar
from duet.frontend.ctypes.values import Direct, Number, Place, Temporary, Untracked, Value, Whole, of_term, type_of
from duet.frontend.expressions import expr, lvalue, order
from duet.frontend.source.nodes import Node
from duet.plip.terms import add, constant, variable


def assignment(ctx: Context, node: Node, is_used: bool) -> Value:
    """An assignment expression; its value is only there when it is used."""
    place = lvalue.place_of(ctx, node.lvalue)
    if expr.has_effects(node.rvalue):
        place = settled(ctx, place)
    if order.calls(ctx, node.rvalue) and not is_atomic(place):
        return _beside_call(ctx, place, node, is_used)
    if node.op == "=":
        value = expr.rvalue(ctx, node.rvalue)
        return store(ctx, place, value, node, is_used)
    right = expr.rvalue(ctx, node.rvalue)
    if is_atomic(place):
        right = snapshot(ctx, right)
        with region(ctx):
            value = binary(ctx, node.op[:-1], read(ctx, place, node), right, node)
            return store(ctx, place, value, node, is_used)
    if not isinstance(place, Direct) or _local_cell(ctx, place) is None:
        ctx.builder.flush()
    value = binary(ctx, node.op[:-1], read(ctx, place, node), right, node)
    return store(ctx, place, value, node, is_used)


def _beside_call(ctx: Context, early: Place, node: Node, is_used: bool) -> Value:
    """An assignment of what a call gives, which may change which object is assigned to, and what that holds."""
    is_read = node.op != "="
    before = snapshot(ctx, read(ctx, early, node)) if is_read and order.is_read_open(ctx, node.lvalue) else None
    value = expr.rvalue(ctx, node.rvalue)
    is_open = order.is_place_open(ctx, node.lvalue)
    if is_open or is_read:
        value = snapshot(ctx, value)
    late = settled(ctx, lvalue.place_of(ctx, node.lvalue)) if is_open else early
    if is_read:
        after = read(ctx, late, node)
        old = after if before is None else order.either(ctx, before, snapshot(ctx, after), node)
        value = binary(ctx, node.op[:-1], old, value, node)
    if late == early:
        return store(ctx, early, value, node, is_used)
    value = snapshot(ctx, value)
    ctx.builder.flush()
    found: list[Outcome] = []
    for way, place in zip(ctx.builder.fork(2), (early, late), strict=True):
        ctx.builder.at(way)
        stored = store(ctx, place, value, node, is_used)
        ctx.builder.flush()
        found.append((ctx.builder.current, stored))
    return merged(ctx, found, type_of(found[0][1]))


def store(ctx: Context, place: Place, value: Value, node: Node, is_used: bool = True) -> Value:
    """Writes a value to a place; the value of the assignment."""
    if not is_scalar(place.type):
        place = settled(ctx, place)
        write(ctx, place, value, node)
        return Whole(place, place.type) if isinstance(value, Whole) else Untracked(place.type)
    found = number(ctx, convert(ctx, value, place.type, node))
    cell = _local_cell(ctx, place)
    if cell is not None or not is_used:
        write(ctx, place, found, node)
        if cell is not None and found.term.terms:
            return Number(variable(cell), found.type, found.lo, found.hi, found.origins)
        return found
    found_value = snapshot(ctx, found)
    assert isinstance(found_value, Number)
    write(ctx, place, found_value, node, is_kept=True)
    return found_value


def _local_cell(ctx: Context, place: Place) -> str | None:
    """The cell of a place that only this thread reaches, with strong updates."""
    if not isinstance(place, Direct) or ctx.memory.choosing(place) is not None:
        return None
    cell = ctx.memory.locate(place)
    if isinstance(cell, CellAt) and not cell.is_shared and not cell.is_summary:
        return cell.name
    return None


def step(ctx: Context, node: Node, is_used: bool) -> Value:
    """`++e`, `e++`, `--e`, `e--`."""
    place = lvalue.place_of(ctx, node.expr)
    ctx.builder.flush()
    sign = 1 if "+" in node.op else -1
    if is_atomic(place):
        with region(ctx):
            return _step(ctx, place, sign, node, is_used)
    return _step(ctx, place, sign, node, is_used)


def _step(ctx: Context, place: Place, sign: int, node: Node, is_used: bool) -> Value:
    is_postfix = node.op.startswith("p")
    old = read(ctx, place, node)
    if not is_scalar(type_of(old)):
        ctx.builder.flush()
        return old
    before = number(ctx, old)
    new = incremented(ctx, old, sign, node)
    cell = _local_cell(ctx, place)
    if not is_used:
        return store(ctx, place, new, node, is_used=False)
    if not is_postfix:
        ctx.builder.flush()
        return store(ctx, place, new, node)
    is_exact = isinstance(new, Number) and new.term == add(before.term, constant(sign))
    if cell is not None and is_exact and isinstance(before.type, IntType) and before.term == variable(cell):
        store(ctx, place, new, node)
        return of_term(add(variable(cell), constant(-sign)), before.type, before.lo, before.hi, before.origins)
    kept = snapshot(ctx, before)
    store(ctx, place, new, node)
    return kept


def is_atomic(place: Place) -> bool:
    """Whether an object is declared `_Atomic`."""
    return isinstance(place.type, IntType | PointerType) and place.type.atomic and not isinstance(place, Temporary)


@contextmanager
def region(ctx: Context) -> Iterator[None]:
    """Everything inside happens as one step (inside another atomic region there is nothing to do)."""
    builder = ctx.builder
    if builder.is_inside:
        yield
        return
    enter_region(ctx)
    yield
    leave_region(ctx)


def enter_region(ctx: Context) -> None:
    """Begins an atomic region by a step that does nothing, so that its entry is no loop head."""
    builder = ctx.builder
    builder.flush()
    location = builder.outside()
    builder.atomic.add(location)
    builder.gates.add(location)
    builder.goto(location)
    builder.at(location)


def leave_region(ctx: Context) -> None:
    """Ends an atomic region."""
    builder = ctx.builder
    builder.flush()
    location = builder.outside()
    builder.goto(location)
    builder.at(location)
