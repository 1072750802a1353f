"""Environments of floating-point arithmetic, of which one is no memory."""

from __future__ import annotations

from duet.frontend.cells import gate
from duet.frontend.cells.context import Context
from duet.frontend.cells.gate import Touch
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.types import ADDRESS
from duet.frontend.ctypes.values import Number, literal
from duet.frontend.models.buffers import touch
from duet.frontend.models.call import Call
from duet.frontend.models.effects import any_result, result_type, size_of
from duet.frontend.models.unknown import origins_of

_DEFAULT = frozenset((-1, ADDRESS.hi, (1 << 32) - 1))
"""FE_DFL_ENV and FE_DFL_MODE as numbers."""


def installed(ctx: Context, call: Call) -> list[Outcome]:
    """fesetenv and the like: what is behind the argument is read, unless that stands for what there was at first."""
    (value, *_) = call.evaluate_all(ctx)
    if not (isinstance(value, Number) and value.constant in _DEFAULT):
        size = size_of(ctx, value)
        gate.around(ctx, origins_of(ctx, value), Touch.EXAMINE, call.node)
        touch(ctx, value, None if size is None else literal(size), call, Touch.EXAMINE, 0)
    return any_result(ctx, result_type(call))
