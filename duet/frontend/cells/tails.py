"""Arrays at the end of structures that go on behind it: what else lies there may be among their elements.

*Source*: C11 6.7.2.1p18 (`char data[]`); GNU C for arrays of no or one element. The elements have a cell of their own
for as long as nothing is accessed where they may be, by another member of a structure: one that lies behind the array,
or in another structure further behind; or as a type that is no structure, and that they do not have there. Else
nothing is known of the object.
"""

from __future__ import annotations

from collections.abc import Iterable

from duet.frontend.cells.context import Context
from duet.frontend.cells.distances import distances_in
from duet.frontend.cells.members import may_go_on, part_of
from duet.frontend.ctypes.types import ArrayType, CType, StructType
from duet.frontend.ctypes.values import Direct, Index, Indirect, Object, Path, Place


def note(
    ctx: Context, of: Object, place: Direct | Indirect, is_wild: bool = False, parts: Iterable[Place] = ()
) -> None:
    """Notes that a part of an object is accessed, one of the `parts` of its type as far as that has cells.

    Nothing is known of where that is if the address `is_wild`.
    """
    whole = place.object.type if isinstance(place, Direct) else place.base
    at = _opening(ctx, place)
    known = ctx.facts.layouts.open_ended.get(of.key)
    if at is None:
        may_be_element = is_wild or any(isinstance(it, Direct) and _opening(ctx, it) is not None for it in parts)
        if known is not None and (isinstance(whole, StructType) or not may_be_element):
            _check(ctx, of, place, whole, known, is_wild)
        return
    start = min(_starts(ctx, of, place, is_wild)) + _offset(ctx, whole, place.path[:at])
    if _is_followed(ctx, whole, place.path[:at]) or known not in (None, start):
        ctx.lose(frozenset((of.key,)))
    ctx.facts.layouts.opens(of.key, start)


def _check(ctx: Context, of: Object, place: Direct | Indirect, whole: CType, known: int, is_wild: bool) -> None:
    """Nothing is known of an object any more if an access may be to what is among the elements of its array."""
    if is_wild or (isinstance(place, Indirect) and any(step for _, step in distances_in(ctx, of, place))):
        ctx.lose(frozenset((of.key,)))
        return
    length = next((at for at, step in enumerate(place.path) if isinstance(step, Index)), len(place.path))
    size = ctx.memory.types.size(part_of(ctx, whole, place.path[:length]))
    end = max(_starts(ctx, of, place, is_wild)) + _offset(ctx, whole, place.path[:length]) + (size or known + 1)
    if end > known:
        ctx.lose(frozenset((of.key,)))


def _opening(ctx: Context, place: Direct | Indirect) -> int | None:
    """Where the path has an index of an array that goes on behind its structure."""
    whole = place.object.type if isinstance(place, Direct) else place.base
    for at, step in enumerate(place.path):
        if at and isinstance(step, Index) and isinstance(place.path[at - 1], str):
            kind = part_of(ctx, whole, place.path[:at])
            if isinstance(kind, ArrayType) and (kind.length is None or _goes_on(ctx, place, at, step)):
                return at
    return None


def _goes_on(ctx: Context, place: Direct | Indirect, at: int, step: Index) -> bool:
    """Whether an index may be one behind the only element of an array."""
    return may_go_on(ctx, place, at) and not (step.length == 1 and step.constant == 0)


def _starts(ctx: Context, of: Object, place: Direct | Indirect, is_wild: bool) -> list[int]:
    """How far behind the start of an object a place may be that a path begins at; 0 where that is not told."""
    if isinstance(place, Direct) or is_wild:
        return [0]
    return [0 if step else at for at, step in distances_in(ctx, of, place)]


def _offset(ctx: Context, kind: CType, path: Path) -> int:
    """The least offset of a part in bytes; 0 where an index in front of it is not constant."""
    found = ctx.memory.offset(kind, path)
    return found.constant if found is not None and not found.terms else 0


def _is_followed(ctx: Context, kind: CType, path: Path) -> bool:
    """Whether something of the type lies behind the part that a path leads to."""
    for at, step in enumerate(path):
        around = part_of(ctx, kind, path[:at])
        if isinstance(around, ArrayType) and around.length != 1:
            return True
        if isinstance(around, StructType) and not around.is_union and ctx.memory.types.members(around)[-1].name != step:
            return True
    return False
