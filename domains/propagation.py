"""Propagation of bounds: what a linear constraint leaves of a box. *Source*: Cousot and Cousot 1977, on integers."""

from __future__ import annotations

from typing import Final

from domains.numeric import LinExpr
from domains.values.interval import Interval

# Bounds propagation over several constraints may creep (x < y, y < x); it stops here, which only loses precision.
MAX_ROUNDS: Final = 8


def propagate(box: list[Interval], lin: LinExpr) -> bool | None:
    """Whether requiring lin >= 0 made the box smaller, in place; None if nothing is left.

    From sum k_i x_i + c >= 0 follows k_i x_i >= -(c + the greatest sum of the other terms), rounded to integers.
    """
    terms, const = lin
    greatest = const
    unbounded = -1  # the only variable without a bound in the direction that counts
    for v, k in terms:
        bound = box[v][1] if k > 0 else box[v][0]
        if isinstance(bound, int):
            greatest += k * bound
        elif unbounded < 0:
            unbounded = v
        else:
            return False
    if unbounded < 0 and greatest < 0:
        return None
    changed = False
    for v, k in terms:
        if unbounded not in (-1, v):
            continue
        lo, hi = box[v]
        bound = hi if k > 0 else lo
        others = greatest - k * bound if isinstance(bound, int) else greatest
        if k > 0:
            least = -(others // k)
            if least > lo:
                box[v] = (least, hi)
                changed = True
        else:
            most = others // -k
            if most < hi:
                box[v] = (lo, most)
                changed = True
        if box[v][0] > box[v][1]:
            return None
    return changed
