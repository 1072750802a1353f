"""Requests of block devices: how many bytes of private data the driver has behind each, as its sets of tags ask for.

The core makes all requests of a set when it gets that, with so much room as a member of the set says then. So a request
that the kernel gives back has as many bytes as the least of these numbers, if all of them are known
(`duet.frontend.judgments.stored`); none behind it are known to be there otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

from duet.frontend.cells import contracts, private
from duet.frontend.cells.context import Context
from duet.frontend.cells.operations import REQUEST, TAG_SETS, registered_by
from duet.frontend.ctypes.types import UINT, CType, StructType
from duet.frontend.ctypes.values import Number, pointee
from duet.frontend.graph.events import Registering
from duet.frontend.judgments.marks import Mark
from duet.frontend.judgments.stored import Settled
from duet.plip.syntax import MADE, Havoc
from duet.plip.terms import add, constant

TAG = f"{MADE}request"
"""The structure of a request with what is behind it."""
_TABLE = "requests"
_LARGEST = 1 << 32
_BYTES: Mark[int] = Mark("bytes of private data that requests have")
_ASKED: Mark[str] = Mark("private data of requests is used")


def least(ctx: Context) -> int:
    """The fewest bytes behind a request. As long as nothing is known of any set there may be as many as one likes."""
    ctx.facts.mark(_ASKED, _TABLE)
    is_lost = ctx.facts.refused or not contracts.has_operations(ctx) or private.is_loose(ctx, REQUEST)
    return 0 if is_lost else min(ctx.facts.marked(_BYTES), default=_LARGEST)


def is_set(kind: CType) -> bool:
    """Whether a type is that of pointers to a set of tags."""
    return pointee(kind) == StructType(REQUEST[0])


def note_set(ctx: Context, name: str, given: Number) -> None:
    """A function of the kernel is given a set, which asks for what it has in its member here if it makes requests."""
    record, start = registered_by(TAG_SETS), private.start_of(ctx, REQUEST)
    if record is not None and name in record.functions and name not in record.registers:
        return
    if name != TAG_SETS or start is None:
        ctx.facts.mark(_BYTES, 0)
        return
    asked = ctx.temporary(UINT)
    ctx.builder.emit(Havoc(asked, UINT.lo, UINT.hi))
    ctx.builder.note_registering(Registering(_TABLE, REQUEST, add(given.term, constant(start)), asked))


def settle(ctx: Context, found: Settled) -> None:
    """Records what the sets ask for that a thread has given to the kernel, as far as that is known."""
    for items in ctx.builder.events.registered.values():
        for item in items:
            value = found.values.get(item.temporary) if item.table == _TABLE else None
            if value is not None:
                ctx.facts.mark(_BYTES, 0 if value.terms else value.constant)


def note_losses(ctx: Context, found: Sequence[Settled]) -> None:
    """Records that nothing is known of some set, or that there is none; in a round that finds no other fact."""
    is_lost = any(_TABLE in settled.tables for settled in found)
    is_asked = bool(ctx.facts.marked(_ASKED))
    if is_lost or (is_asked and not ctx.facts.marked(_BYTES)):
        ctx.facts.mark(_BYTES, 0)
