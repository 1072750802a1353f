"""What `main` is given: a number of arguments that is not negative, and pointers that are not null.

*Source*: C11 5.1.2.2.1; POSIX for the third parameter, which leads to memory outside of the program. Of the array of
arguments see `duet.frontend.cells.arguments`.
"""

from __future__ import annotations

from duet.frontend.bodies import callees
from duet.frontend.cells import arguments
from duet.frontend.cells.callees import parameters
from duet.frontend.cells.context import Context
from duet.frontend.cells.targets import outside
from duet.frontend.ctypes.origins import NOTHING
from duet.frontend.ctypes.scope import Definition
from duet.frontend.ctypes.types import INT, CType, IntType, PointerType, value_range
from duet.frontend.ctypes.values import Number, Value
from duet.plip.syntax import Havoc
from duet.plip.terms import variable


def main_arguments(ctx: Context, definition: Definition) -> list[Value]:
    """The values with which the parameters of `main` begin."""
    ctx.scope = definition.scope
    kinds = [kind for kind, _ in parameters(ctx, definition)]
    if not _is_standard(kinds):
        return [callees.any_value(ctx, kind, outside(ctx)) for kind in kinds]
    low = 1 if ctx.options.assumes("program-name") else 0
    values = [_from(ctx, kind, low if isinstance(kind, IntType) else 1) for kind in kinds[:1]]
    if len(kinds) > 1:
        values.append(arguments.begin(ctx, values[0].term, kinds[1]))
    return [*values, *(_from(ctx, kind, 1) for kind in kinds[2:])]


def _is_standard(kinds: list[CType]) -> bool:
    """Whether parameters are those that C or POSIX give to `main`, as many as there are."""
    is_counted = not kinds or kinds[0] == INT
    return is_counted and all(
        isinstance(kind, PointerType) and isinstance(kind.target, PointerType) for kind in kinds[1:]
    )


def _from(ctx: Context, kind: CType, low: int) -> Number:
    """Any value of a type from a number on; pointers lead out of the program."""
    high, name = value_range(kind)[1], ctx.temporary(kind)
    ctx.builder.emit(Havoc(name, low, high))
    origins = outside(ctx) if isinstance(kind, PointerType) else NOTHING
    return Number(variable(name), kind, low, high, origins)
