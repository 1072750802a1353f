"""Symbols that may not be there, so that their address is null."""

from __future__ import annotations

from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number
from duet.frontend.ctypes.types import PointerType
from duet.frontend.ctypes.values import Address, Direct, FunctionPlace, Indirect, Number, Place
from duet.plip.syntax import Havoc
from duet.plip.terms import variable


def perhaps_missing(ctx: Context, name: str, place: Direct | FunctionPlace) -> Place:
    """The place that a name denotes: behind a pointer that may be null where it is weak and not defined."""
    if name not in ctx.declared.weak or _is_defined(ctx, place):
        return place
    found = number(ctx, Address(place, PointerType(place.type)))
    cell = ctx.temporary(found.type)
    ctx.builder.emit(Havoc(cell, 0, found.hi))
    address = Number(variable(cell), found.type, 0, found.hi, found.origins)
    return Indirect(address, place.type, (), place.type)


def _is_defined(ctx: Context, place: Direct | FunctionPlace) -> bool:
    if isinstance(place, FunctionPlace):
        return place.name in ctx.declared.functions
    return place.object.kind != "global" or ctx.memory.initial[place.object.key] is not None
