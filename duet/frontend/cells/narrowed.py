"""What types that are too small hold of addresses: error numbers, which are in no object, as they are."""

from __future__ import annotations

from duet.frontend.cells.context import Context
from duet.frontend.ctypes.types import ADDRESS, IntType
from duet.frontend.ctypes.values import Number
from duet.frontend.graph.there import PAGE
from duet.plip.syntax import Havoc, Operation
from duet.plip.terms import compare, conjunction, constant, disjunction, variable


def part_of_address(ctx: Context, value: Number, kind: IntType) -> Number:
    """What a type that is too small holds of an address: the number where that is in no object, as errors are."""
    lowest, highest = compare(value.term, ">=", constant(-PAGE)), compare(value.term, ">", constant(ADDRESS.hi - PAGE))
    is_error = disjunction((conjunction((lowest, compare(value.term, "<", constant(PAGE)))), highest))
    ctx.builder.flush()
    name, join = ctx.temporary(kind), ctx.builder.fresh()
    yes, no = ctx.builder.branch(is_error)
    ctx.builder.at(yes)
    ctx.builder.compute(name, Operation.WRAP, value.term, constant(kind.lo), constant(kind.hi))
    ctx.builder.goto(join)
    ctx.builder.at(no)
    ctx.builder.emit(Havoc(name, kind.lo, kind.hi))
    ctx.builder.goto(join)
    ctx.builder.at(join)
    return Number(variable(name), kind, kind.lo, kind.hi, value.origins)
