"""Which values a called function cannot change, so that they may stand for its parameters."""

from __future__ import annotations

from duet.frontend.cells.context import Context
from duet.frontend.ctypes.types import CType
from duet.frontend.ctypes.values import (
    Address,
    Direct,
    FunctionPlace,
    Indirect,
    Number,
    Place,
    Temporary,
    Value,
    type_of,
)
from duet.plip.terms import term_cells


def is_stable(ctx: Context, value: Value, kind: CType) -> bool:
    """Whether a value is simple and nothing the callee does can change it."""
    match value:
        case Number(term):
            if len(term.terms) > 1 or any(abs(k) != 1 for _, k in term.terms):
                return False
            return type_of(value) == kind and all(is_private(ctx, name) for name, _ in term.terms)
        case Address(place):
            return type_of(value) == kind and _is_stable_place(ctx, place)
        case _:
            return False


def _is_stable_place(ctx: Context, place: Place) -> bool:
    match place:
        case Direct(_, path) | Indirect(_, _, path):
            terms = [step.term for step in path if not isinstance(step, str) and step.term is not None]
            if isinstance(place, Indirect):
                terms.append(place.address.term)
            return all(is_private(ctx, name) for term in terms for name in term_cells(term))
        case FunctionPlace():
            return True
        case Temporary():
            return False


def is_private(ctx: Context, name: str) -> bool:
    """Whether only names in the caller can change a cell."""
    if name.startswith("$") or name.endswith("&"):
        return True
    cell, place = ctx.memory.cells.get(name), ctx.memory.places.get(name)
    if cell is None or cell.template is None or cell.summary or place is None or place.object.kind != "local":
        return False
    return not any(
        name == key or name.startswith((f"{key}.", f"{key}["))
        for key in ctx.facts.objects.addressed | ctx.facts.objects.bound
    )
