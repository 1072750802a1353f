"""Names that the kernel keeps of devices and the like: strings that end, where the driver writes none itself.

*Source*: kobject_set_name_vargs(), which allocates each name with its end; Documentation/core-api/kobject.rst.
A driver writes none if no code of it writes such a member, or takes its address, and none of its variables has one from
the start. Bytes that are copied over a whole device count, single bytes in the middle of such a member do not.
"""

from __future__ import annotations

from duet.frontend.cells.bounds import may_be_given
from duet.frontend.cells.context import Context
from duet.frontend.cells.private import base_of, seen_as, slot_of, slots_in
from duet.frontend.ctypes.values import Address, Direct, Index, Indirect, Number, Place, pointee
from duet.frontend.judgments.marks import Mark
from duet.frontend.judgments.stored import Slot

MEMBERS = (("kobject", "name"), ("device", "init_name"))
"""The members that lead to names, each with its structure."""
ASSUMED = (
    "the names that the kernel keeps of devices, and the like, are strings that end; those of devices that the driver"
    " allocates are set, or null, before they are asked for"
)
_OWN: Mark[Slot] = Mark("names of devices that the driver writes")


def is_of_kernel(ctx: Context, place: Place) -> bool:
    """Whether a member that leads to a name was written by the kernel, if at all."""
    if not isinstance(place, Indirect) or not may_be_given(ctx, place.address, place.base):
        return False
    is_name = slot_of(ctx, place.base, place.path, MEMBERS) is not None
    if not is_name or ctx.memory.pointed(place.address.origins) or _are_own(ctx):
        return False
    ctx.assume(ASSUMED)
    return True


def _are_own(ctx: Context) -> bool:
    """Whether the driver may write names itself, as far as its code and the initialisers of its variables show."""
    begun = (
        slot_of(ctx, of.type, tuple(step if isinstance(step, str) else Index(None, None) for step in path), MEMBERS)
        for key, initial in ctx.memory.initial.items()
        if initial is not None and (of := ctx.memory.objects.get(key)) is not None
        for path in initial.origins
    )
    return bool(ctx.facts.refused or ctx.facts.marked(_OWN)) or any(begun)


def note_write(ctx: Context, place: Place) -> None:
    """Records that the driver writes what is at a place, which may be a name or have names in it."""
    if isinstance(place, Direct | Indirect):
        _note(ctx, place)
        ctx.facts.mark(_OWN, *slots_in(ctx, place.type, MEMBERS))


def note_address(ctx: Context, place: Place) -> None:
    """Records that the address of a place is taken: who has it may write there."""
    if isinstance(place, Direct | Indirect):
        _note(ctx, place)


def note_bytes(ctx: Context, pointer: Address | Number, address: Number, size: int | None) -> None:
    """Records a write of bytes: to what a pointer leads to if they end there, else to all that is around it.

    A pointer that is that of a part has the `address` of the whole; the others are their own.
    """
    whole = pointee(address.type)
    part = (
        pointer.place.type if isinstance(pointer, Address) and isinstance(pointer.place, Direct | Indirect) else whole
    )
    own = ctx.memory.types.size(part) if part is not None else None
    is_inside = size is not None and own is not None and size <= own
    kinds = (part,) if is_inside else (whole, part, *seen_as(ctx, address))
    ctx.facts.mark(_OWN, *(slot for kind in kinds if kind is not None for slot in slots_in(ctx, kind, MEMBERS)))


def _note(ctx: Context, place: Direct | Indirect) -> None:
    if (slot := slot_of(ctx, base_of(place), place.path, MEMBERS)) is not None:
        ctx.facts.mark(_OWN, slot)
