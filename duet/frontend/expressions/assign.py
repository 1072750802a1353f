"""Assignments, compound assignments and ++/--; on `_Atomic` objects each is one step."""

from __future__ import annotations

from collections.abc import Callable

from duet.frontend.cells import gate
from duet.frontend.cells.access import read, write
from duet.frontend.cells.arithmetic import binary, incremented
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import convert, merged, number, settled, snapshot
from duet.frontend.cells.gate import Ways
from duet.frontend.cells.located import CellAt
from duet.frontend.cells.regions import region
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.types import IntType, PointerType, is_scalar
from duet.frontend.ctypes.values import Direct, Number, Place, Temporary, Untracked, Value, Whole, of_term, type_of
from duet.frontend.form.tree import Step
from duet.frontend.source.nodes import Node
from duet.plip.syntax import Formula
from duet.plip.terms import add, compare, constant, variable


def compound(ctx: Context, place: Place, operator: str, right: Value, node: Node, is_used: bool) -> Value:
    """`place operator= right`, as one step on an atomic object."""
    if is_atomic(place):
        right = snapshot(ctx, right)
        with region(ctx):
            value = binary(ctx, operator, read(ctx, place, node), right, node)
            return store(ctx, place, value, node, is_used)
    if not isinstance(place, Direct) or _local_cell(ctx, place) is None:
        ctx.builder.flush()
    ways = gate.apart(ctx, place, node)
    if ways:
        right = snapshot(ctx, right)
    return _in_each(ctx, place, ways, lambda one: _compound(ctx, one, operator, right, node, is_used))


def _compound(ctx: Context, place: Place, operator: str, right: Value, node: Node, is_used: bool) -> Value:
    value = binary(ctx, operator, read(ctx, place, node), right, node)
    return store(ctx, place, value, node, is_used)


def _in_each(ctx: Context, place: Place, ways: Ways, action: Callable[[Place], Value]) -> Value:
    """Reads and writes a place; element by element where it may be one of several, so that each changes by itself."""
    return gate.on_ways(ctx, ways, action, place.type) if ways else action(place)


def store_either(ctx: Context, early: Place, late: Place, value: Value, node: Node, is_used: bool) -> Value:
    """Writes a value to one of two places."""
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
    if isinstance(cell, CellAt) and not cell.is_shared and not cell.is_summary and cell.type == place.type:
        return cell.name
    return None  # also where the cell is that of another member of a union


def step(ctx: Context, place: Place, form: Step, is_used: bool) -> Value:
    """`++place`, `place++`, `--place`, `place--`."""
    ctx.builder.flush()
    if is_atomic(place):
        with region(ctx):
            return _step(ctx, place, form, is_used)
    return _in_each(ctx, place, gate.apart(ctx, place, form.node), lambda one: _step(ctx, one, form, is_used))


def _step(ctx: Context, place: Place, form: Step, is_used: bool) -> Value:
    node, sign = form.node, form.sign
    old = read(ctx, place, node)
    if not is_scalar(type_of(old)):
        ctx.builder.flush()
        return old
    before = number(ctx, old)
    new = incremented(ctx, old, sign, node)
    cell = _local_cell(ctx, place)
    if not is_used:
        return store(ctx, place, new, node, is_used=False)
    if not form.is_postfix:
        ctx.builder.flush()
        return store(ctx, place, new, node)
    is_exact = isinstance(new, Number) and new.term == add(before.term, constant(sign))
    if cell is not None and is_exact and isinstance(before.type, IntType) and before.term == variable(cell):
        store(ctx, place, new, node)
        return of_term(add(variable(cell), constant(-sign)), before.type, before.lo, before.hi, before.origins)
    kept = snapshot(ctx, before)
    store(ctx, place, new, node)
    return kept


def turning(ctx: Context, place: Place, form: Step) -> Formula | None:
    """When a step takes an unsigned number of this thread round to the other end of its type; None for other places."""
    cell, kind = _local_cell(ctx, place), place.type
    if cell is None or not isinstance(kind, IntType) or kind.signed or kind.atomic:
        return None
    return compare(variable(cell), "==", constant(kind.lo if form.sign < 0 else kind.hi))


def is_atomic(place: Place) -> bool:
    """Whether an object is declared `_Atomic`."""
    return isinstance(place.type, IntType | PointerType) and place.type.atomic and not isinstance(place, Temporary)
