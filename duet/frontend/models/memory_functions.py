"""malloc, memset, memcpy and other library functions on memory."""

from __future__ import annotations

from duet.frontend.access import havoc_place
from duet.frontend.context import Context, Outcome
from duet.frontend.convert import UNKNOWN_POINTER, number
from duet.frontend.models.call import Call, answer
from duet.frontend.models.unknown import reachable
from duet.frontend.targets import heap_object
from duet.frontend.types import CHAR, INT, ULONG, IntType
from duet.frontend.values import Address, Direct, FunctionPlace, Index, Number, Temporary, Value
from duet.plip.syntax import Havoc
from duet.plip.terms import variable

_ON_BYTES = frozenset(("memset", "memcpy", "memmove", "bzero", "read", "recv"))


def overwrite(ctx: Context, call: Call) -> list[Outcome]:
    """memset, memcpy, strcpy, ...: whatever the first argument points into holds anything."""
    target = call.value(ctx, 0)
    origins: frozenset[str] = frozenset()
    for position in range(1, len(call.arguments)):
        value = call.value(ctx, position)
        if isinstance(value, Address | Number):
            origins |= reachable(ctx, number(ctx, value).origins)
    _spoil(ctx, target, origins, call)
    return answer(ctx, target)


def _spoil(ctx: Context, target: Value, origins: frozenset[str], call: Call) -> None:
    """Gives the whole object that a pointer points into any values; of an array of characters only the array."""
    if isinstance(target, Address) and isinstance(target.place, Direct | Temporary | FunctionPlace):
        if isinstance(target.place, Direct):
            of = target.place.object
            text = _text(target.place, call)
            havoc_place(ctx, text or Direct(of, (), of.type), UNKNOWN_POINTER | origins)
        return
    found = number(ctx, target)
    ctx.builder.flush()
    known = [ctx.memory.objects[name] for name in sorted(found.origins) if name in ctx.memory.objects]
    if found.origins & UNKNOWN_POINTER or not known:
        known = [ctx.memory.objects[name] for name in sorted(ctx.facts.addressed) if name in ctx.memory.objects]
        ctx.warn(call.node, "unresolved-pointer", "what this pointer points to is not known: any object may change")
    for of in known:
        if of.kind == "heap":
            heap = heap_object(ctx, of)
            if heap is not None:
                havoc_place(ctx, Direct(heap, (), heap.type), UNKNOWN_POINTER | origins)
        elif not of.is_const:
            # the other candidates keep their values on other paths
            ways = ctx.builder.fork(2)
            ctx.builder.at(ways[0])
            havoc_place(ctx, Direct(of, (), of.type), UNKNOWN_POINTER | origins)
            ctx.builder.goto(ways[1])
            ctx.builder.at(ways[1])


def _text(place: Direct, call: Call) -> Direct | None:
    """The array that a pointer to its characters is for a function that writes strings; None for other pointers.

    Writing behind the end of the array has no defined meaning. `memcpy` and its like may be meant for more.
    """
    if call.name in _ON_BYTES or not isinstance(place.type, IntType) or place.type.width != CHAR.width:
        return None
    last = place.path[-1] if place.path else None
    if not isinstance(last, Index) or last.length is None:
        return None
    return Direct(place.object, (*place.path[:-1], Index(None, last.length)), place.type)


def measured(ctx: Context, call: Call) -> list[Outcome]:
    """strlen: not negative, less than the size of the memory."""
    call.evaluate_all(ctx)
    name = ctx.temporary(ULONG)
    ctx.builder.emit(Havoc(name, 0, (1 << 62) - 1))
    return answer(ctx, Number(variable(name), ULONG, 0, (1 << 62) - 1))


def compared(ctx: Context, call: Call) -> list[Outcome]:
    """strcmp and other functions that read memory and return any `int`."""
    call.evaluate_all(ctx)
    return answer(ctx, ctx.havoc(INT))


def random(ctx: Context, call: Call) -> list[Outcome]:
    """rand, random: any value that is not negative."""
    call.evaluate_all(ctx)
    name = ctx.temporary(INT)
    ctx.builder.emit(Havoc(name, 0, INT.hi))
    return answer(ctx, Number(variable(name), INT, 0, INT.hi))


def printed(ctx: Context, call: Call) -> list[Outcome]:
    """printf and the like: the arguments are read only."""
    values = call.evaluate_all(ctx)
    del values
    return answer(ctx, ctx.havoc(INT))


def formatted(ctx: Context, call: Call) -> list[Outcome]:
    """sprintf and the like: the first argument is overwritten."""
    values = call.evaluate_all(ctx)
    if values:
        _spoil(ctx, values[0], frozenset(), call)
    return answer(ctx, ctx.havoc(INT))
