"""What code that is not understood may write: anything, to all that it may reach."""

from __future__ import annotations

from duet.frontend.cells import ownership, rereads, sharing, size
from duet.frontend.cells.access import havoc_place
from duet.frontend.cells.context import Context
from duet.frontend.ctypes.origins import UNKNOWN_POINTER
from duet.frontend.ctypes.types import OpaqueType
from duet.frontend.ctypes.values import Direct, Object
from duet.frontend.judgments.marks import Mark
from duet.frontend.models.call import KEEPS_BUFFERS
from duet.plip.accesses import AccessKind

_CALLING: Mark[str] = Mark("calls what may do anything")
"""The mark of templates of functions that are lowered by themselves."""


def write_anything(ctx: Context, changes_locks: bool = False) -> None:
    """Writes any value to each object that may be reached here, one after the other, and to locks if it says so."""
    ownership.note_giving(ctx)
    rereads.note_anything(ctx)
    ctx.facts.mark_any(KEEPS_BUFFERS)
    for key in sorted(ctx.memory.objects):
        of = ctx.memory.objects[key]
        if of.is_const or of.is_string or not _is_reached(ctx, of):
            continue
        if size.is_large(ctx):
            sharing.note_place(ctx, Direct(of, (), of.type), None, AccessKind.WRITE)
            ctx.facts.objects.untracked.add(key)
            continue
        if changes_locks:
            for path, kind in ctx.memory.scalars(of.type):
                if isinstance(kind, OpaqueType):
                    cell = ctx.memory.locate(Direct(of, path, kind))
                    ctx.facts.weak_locks.add(getattr(cell, "name", key))
        havoc_place(ctx, Direct(of, (), of.type), UNKNOWN_POINTER)


def _is_reached(ctx: Context, of: Object) -> bool:
    match of.kind:
        case "global":
            return True
        case "heap":
            return of.template == ctx.thread.template or ctx.memory.is_shared(of)
        case "thread":
            return of.template == ctx.thread.template
        case _:
            return of.key in ctx.facts.objects.escaped or (
                of.key in ctx.facts.objects.addressed and of.template == ctx.thread.template
            )


def note_called(ctx: Context) -> None:
    """As `write_anything`, where nothing is known but of automatic objects: of these `reached_by_called` tells."""
    rereads.note_anything(ctx)
    ctx.facts.mark_any(KEEPS_BUFFERS)
    ctx.facts.mark(_CALLING, ctx.thread.template)


def reached_by_called(ctx: Context) -> list[str]:
    """The automatic objects that may be changed by what their functions call, see `note_called`."""
    calling, known = ctx.facts.marked(_CALLING), ctx.facts.objects
    objects = (ctx.memory.objects.get(key) for key in (*known.addressed, *known.escaped))
    return [of.key for of in objects if of is not None and of.template in calling]
