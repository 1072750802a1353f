"""Whether bytes behind a pointer are inside of one of the objects that it may lead to, as formulas.

An object that stands for several has its bytes where the instance starts that the pointer leads to: instances of the
heap start at the starts of slots (`memory.SLOT`), that of a local variable where the thread has its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from duet.frontend.cells import texts
from duet.frontend.cells.arrays import Wanted, in_part, is_elsewhere, is_seen_otherwise
from duet.frontend.cells.context import Context
from duet.frontend.cells.extent import exact_size, is_counted, least_size
from duet.frontend.cells.located import in_words
from duet.frontend.cells.memory import LARGEST, SLOT
from duet.frontend.ctypes.origins import EXTERNAL, MOVED, UNKNOWN_POINTER, addresses, marks, may_be_any
from duet.frontend.ctypes.types import ADDRESS, BOOL, OFFSET
from duet.frontend.ctypes.values import Number, Object, truth
from duet.plip.marks import Loss
from duet.plip.syntax import TRUE, Assign, Formula, Linear, Operation
from duet.plip.terms import add, compare, conjunction, constant, disjunction, variable
from duet.source import NOWHERE

NO_OFFSET = constant(0)
_SEEN_OTHERWISE = Loss("what of an object is seen as another type is not known")
NO_EXTENT = Loss("how many bytes are accessed is not known")


def within(
    ctx: Context,
    address: Number,
    known: Sequence[Object],
    size: Linear | None,
    offset: Linear = NO_OFFSET,
    wanted: Wanted | None = None,
) -> Formula | None:
    """That so many bytes, from an offset behind an address on, are in one of some objects; None if nobody knows.

    The address is that of what is `wanted` in it.

    Where an object may have more bytes than are known, or an instance of it may lie elsewhere, what is not seen to be
    inside may be so or not.
    """
    if size is None or address.origins & UNKNOWN_POINTER:
        return None
    fine: list[Formula] = []
    many: list[tuple[Object, Linear]] = []
    is_all = True
    for of in known:
        is_all = is_all and exact_size(ctx.memory, of) is not None
        if not ctx.memory.is_multiple(of) or _is_own(ctx, of):
            base, start = ctx.memory.base_term(of).term, add(address.term, offset)
            is_part = _in_part(ctx, of, wanted, add(address.term, base, -1))
            for whole in _sizes(ctx, of):
                last = add(add(base, whole), size, -1)
                fine.append(conjunction((compare(start, ">=", base), compare(start, "<=", last), is_part)))
            is_all = is_all and not ctx.memory.is_multiple(of)
        elif _is_in_slots(ctx, of, address):
            many += [(of, whole) for whole in _sizes(ctx, of)]
        else:
            is_all = False
    for of in known:
        if ctx.memory.is_multiple(of) and is_counted(ctx, of):
            fine.append(_within_own(ctx, of, address, size, offset, wanted))
    apart = [(of, whole) for of, whole in many if wanted is not None and is_elsewhere(ctx, of, wanted)]
    for of, whole in apart:
        fine.append(_within_slot(ctx, address, ctx.memory.slots(of), add(whole, size, -1), offset, of, wanted))
    alike = [item for item in many if item not in apart]
    for slots, whole in _slots(ctx, alike, {of.key for of, _ in alike} == {of.key for of in known}):
        fine.append(_within_slot(ctx, address, slots, add(whole, size, -1), offset))
    if is_all or not fine:
        return disjunction(fine) if is_all else None
    return or_unknown(ctx, disjunction(fine), lost(ctx, address))


def _sizes(ctx: Context, of: Object) -> list[Linear]:
    """Numbers of bytes that an object has at least: those that are known, and those that it was asked for."""
    found = [constant(least_size(ctx.memory, of))]
    if is_counted(ctx, of):
        ctx.builder.flush()
        if of.key == texts.ARGUMENTS and ctx.thread.template == "main" and ctx.memory.arguments is not None:
            return [ctx.memory.arguments]
        name = ctx.temporary(ADDRESS)
        ctx.builder.emit(Assign(name, variable(ctx.memory.size_cell(of))))
        found.append(variable(name))
    return found


def _within_own(
    ctx: Context, of: Object, address: Number, size: Linear, offset: Linear, wanted: Wanted | None
) -> Formula:
    """That so many bytes are in the object that the thread allocated last at the place of one.

    What others allocate there does not change that. Whether it has been freed is not asked.
    """
    first, whole = map(variable, ctx.memory.own_cells(of, ctx.thread.template))
    step = ctx.moves.get(address.term, constant(0))
    ctx.builder.flush()
    behind = ctx.temporary(OFFSET)
    ctx.builder.emit(Assign(behind, add(add(address.term, step, -1), first, -1)))
    place = add(variable(behind), step)
    start, is_part = add(place, offset), _in_part(ctx, of, wanted, place)
    inside = compare(add(add(whole, size, -1), start, -1), ">=", constant(0))
    return conjunction((compare(start, ">=", constant(0)), inside, is_part))


def _is_own(ctx: Context, of: Object) -> bool:
    """Whether a thread that runs here has one instance of an object, which starts where its `base_term` says."""
    return of.kind == "local" and of.template == ctx.thread.template and of.key not in ctx.facts.objects.reentrant


def _slots(ctx: Context, many: list[tuple[Object, Linear]], are_all: bool) -> list[tuple[tuple[int, int], Linear]]:
    """Ranges of slots of which each has so many bytes of one of some objects in it, if a pointer to them leads there.

    Such a pointer is null or leads to an instance of one of them, and moves by less than a slot: in any slot but that
    of null, it is in the object of that slot. Which one that is only matters for bytes that not all of them have.
    That is so if these `are_all` objects that it may lead to.
    """
    each = [(ctx.memory.slots(of), whole) for of, whole in many]
    known = [whole.constant for _, whole in many if not whole.terms]
    if not are_all or not known:
        return each
    least = min(known)
    larger = [(slots, whole) for slots, whole in each if whole.terms or whole.constant > least]
    return [((1, max(last for (_, last), _ in each)), constant(least)), *larger]


def _is_in_slots(ctx: Context, of: Object, address: Number) -> bool:
    """Whether an address, before this access, is that of an instance of an object or of a member; see `memory.SLOT`.

    So it is if it was never moved. Else no pointer to the object may be moved but by constants, from a member to what
    is around it. Members are less than `LARGEST` bytes from where they are looked for: from one slot to the next one it
    would take thousands of them, one inside of the other, and no loop to go through them.
    """
    layouts = ctx.facts.layouts
    if not ctx.memory.is_in_slots(of):
        return False
    if not marks(address.origins):
        return True
    if of.origin in layouts.astray:
        return False
    steps = layouts.paces.get(of.origin, ()) if of.origin in layouts.placed else ()
    return all(is_constant and width < LARGEST for width, is_constant in steps)


def _within_slot(
    ctx: Context,
    address: Number,
    slots: tuple[int, int],
    last: Linear,
    behind: Linear,
    of: Object | None = None,
    wanted: Wanted | None = None,
) -> Formula:
    """That what is so far `behind` an address is in one of some slots, at most `last` bytes behind its start.

    If an object is given, these are its slots, and the address is that of what is `wanted` in it.

    What it was moved by for this access does not say which instance it is in, but how far it is from the start.
    """
    first, most = slots
    step = ctx.moves.get(address.term, constant(0)) if MOVED in address.origins else constant(0)
    start, name = add(address.term, step, -1), ctx.temporary(ADDRESS)
    ctx.builder.compute(name, Operation.MOD, start, constant(SLOT))
    place = add(variable(name), step)
    offset = add(place, behind)
    limits = (
        compare(start, ">=", constant(first * SLOT)),
        compare(start, "<", constant((most + 1) * SLOT)),
        compare(offset, ">=", constant(0)),
        compare(add(last, offset, -1), ">=", constant(0)),
        TRUE if of is None else _in_part(ctx, of, wanted, place),
    )
    return conjunction(limits)


def _in_part(ctx: Context, of: Object, wanted: Wanted | None, behind: Linear) -> Formula:
    """As `in_part`, or nobody knows."""
    fine = in_part(ctx, of, wanted, behind)
    is_open = wanted is not None and fine != TRUE and is_seen_otherwise(ctx, of, wanted)
    return or_unknown(ctx, fine, _SEEN_OTHERWISE) if is_open else fine


def or_unknown(ctx: Context, fine: Formula, loss: Loss) -> Formula:
    """What is fine for certain, or else may be: the check is open where it does not hold, and nothing refutes it."""
    ctx.builder.flush()
    return disjunction((fine, truth(ctx.havoc(BOOL, loss=loss))))


def objects(ctx: Context, address: Number) -> tuple[Object, ...]:
    """The objects that an address may be in, as far as they are known."""
    return ctx.memory.pointed(address.origins)


def lost(ctx: Context, address: Number, is_unbounded: bool = False) -> Loss:
    """Why nobody knows whether an access at an address stays inside of its object, for reports."""
    origins, known = addresses(address.origins), objects(ctx, address)
    if is_unbounded:
        return NO_EXTENT
    if may_be_any(origins) or not known:
        return Loss("where this pointer leads is not known")
    if EXTERNAL in origins:
        return Loss("this pointer may lead to memory that is not part of the program")
    unsized = [of for of in known if exact_size(ctx.memory, of) is None]
    of, what = (unsized[0], "the size of {} is not known") if unsized else (known[0], "{} stands for several objects")
    return lost_of(of, what)


def lost_of(of: Object, text: str) -> Loss:
    """That something is not known of an object; `{}` in the text is its name."""
    place = of.span or NOWHERE
    return Loss(text.format(in_words(of)), place.file, place.line)
