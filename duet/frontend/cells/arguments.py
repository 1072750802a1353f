"""The array of pointers that `main` is given: one for each argument, and a null pointer behind these.

*Source*: C11 5.1.2.2.1. As long as the program writes no pointer there, the first ones lead to strings that end;
functions like `getopt` only permute them.
"""

from __future__ import annotations

from duet.frontend.cells import texts
from duet.frontend.cells.context import Context
from duet.frontend.cells.foreign import has_foreign
from duet.frontend.cells.inside import lost_of
from duet.frontend.cells.located import CellAt
from duet.frontend.cells.memory import MANY_BYTES
from duet.frontend.cells.targets import outside
from duet.frontend.ctypes.origins import NOTHING, Content, Holder, ObjectAddress, UntrackedParts, addresses
from duet.frontend.ctypes.types import ADDRESS, VOID, ArrayType, CType, PointerType, value_range
from duet.frontend.ctypes.values import Direct, Number, Object
from duet.frontend.judgments.chosen import OPTIONS
from duet.plip.syntax import Assign, Formula, Havoc, Linear
from duet.plip.terms import add, compare, conjunction, constant, disjunction, scale, variable

_ORIGIN = ObjectAddress(texts.ARGUMENTS)
_CELL = f"{texts.ARGUMENTS}[*]"
_PARTS = UntrackedParts(texts.ARGUMENTS)


def begin(ctx: Context, count: Linear, kind: CType) -> Number:
    """The address of the array, for so many arguments, where the first thread begins."""
    of = Object(texts.ARGUMENTS, ArrayType(VOID, None), "heap", None, "argv")
    width, facts = ctx.data.pointer, ctx.facts
    facts.layouts.size(of.key, None)
    facts.layouts.at_least(of.key, width)
    ctx.memory.declare(of, None)
    texts.note(ctx, of.key)
    strings = texts.of_library(ctx)
    for holder in (_PARTS, _CELL):
        facts.pointers.hold(holder, strings)
    size = add(scale(count, width), constant(width))
    ctx.builder.emit(Assign(ctx.memory.size_cell(of), size))
    ctx.memory.arguments = size
    base = ctx.memory.base(of.origin, MANY_BYTES)
    return Number(constant(base), kind, base, base, of.origins)


def note_addressed(ctx: Context) -> None:
    """Notes that the address of the array is in memory, or with code that is not there, once it may be.

    Until then no pointer of which nothing is known leads there: only variables of the first thread have the address,
    of which nobody has the address.
    """
    objects = ctx.facts.objects
    for holder, held in ctx.facts.pointers.holds.items():
        if _ORIGIN in held and not _is_own(ctx, holder):
            objects.addressed.add(texts.ARGUMENTS)
            return


def _is_own(ctx: Context, holder: Holder) -> bool:
    """Whether a holder of an address is a variable of the first thread of which nobody has the address."""
    place = ctx.memory.places.get(holder) if isinstance(holder, str) else None
    if place is None or place.path or place.object.kind != "local" or place.object.template != "main":
        return False
    objects = ctx.facts.objects
    return place.object.key not in objects.addressed and place.object.key not in objects.escaped


def element(ctx: Context, kind: CType) -> Number:
    """What any element of the array holds, null also where it is not known which one that is."""
    low, high = value_range(kind)
    name = ctx.temporary(kind)
    ctx.builder.emit(Havoc(name, low, high))
    origins = texts.of_library(ctx)
    if texts.is_altered(ctx, texts.ARGUMENTS):
        origins |= outside(ctx)
        for holder in _holders(ctx):
            origins |= ctx.facts.pointers.held(holder) | {Content(holder)}
    return Number(variable(name), kind, low, high, origins)


def _holders(ctx: Context) -> list[Holder]:
    """What stands for parts of the array, also by way of other types: structures and unions of pointers."""
    cells = (of for of in ctx.facts.pointers.holds if isinstance(of, str) and of.startswith(texts.ARGUMENTS))
    return [_PARTS, _CELL, *sorted(of for of in cells if of != _CELL)]


def told(ctx: Context, address: Number, value: Number) -> Number:
    """What was read at an address: it is null only behind the arguments, if the array is certainly what was read."""
    is_array = addresses(address.origins) == {_ORIGIN} and isinstance(value.type, PointerType)
    if not is_array or texts.is_altered(ctx, texts.ARGUMENTS):
        return value
    ctx.builder.flush()
    of = ctx.memory.objects[texts.ARGUMENTS]
    end = add(ctx.memory.base_term(of).term, size_term(ctx, of))
    last = add(end, constant(-ctx.data.pointer))
    filled = compare(value.term, "!=", constant(0))
    ctx.builder.assume(disjunction((filled, compare(address.term, ">=", last))))
    return value


def of_option(ctx: Context, of: Object, kind: CType) -> Number | None:
    """What a variable of `getopt` holds: a string, or the index of the next argument; None for all others.

    None also where the program itself, or a part of it that is not there, sets the index, which is 1 at first.
    """
    if of.key not in ctx.declared.elsewhere or of.key not in ctx.declared.library:
        return None
    objects = ctx.facts.objects
    is_set = of.key in objects.written or of.key in objects.addressed or has_foreign(ctx)
    if of.key == "optarg" and isinstance(kind, PointerType):
        low, high, origins = *value_range(kind), texts.argument_of_option(ctx)
    elif of.key == "optind" and not is_set:
        low, high, origins = 1, value_range(kind)[1], NOTHING
    else:
        return None
    name = ctx.temporary(kind)
    loss = None if low else lost_of(of, "whether {} is null is not known")
    ctx.builder.emit(Havoc(name, low, high), is_given=low > 0, loss=loss)
    if of.key == "optarg" and not is_set and (other := _without_argument(ctx)) is not None:
        ctx.builder.flush()
        ctx.builder.assume(disjunction((compare(variable(name), "!=", constant(0)), other)))
    return Number(variable(name), kind, low, high, origins)


def _without_argument(ctx: Context) -> Formula | None:
    """That the option that `getopt` has found last may have come without an argument; None if nobody knows which.

    That is in a local variable of the function that is lowered, to which only calls of `getopt` assign. No other thread
    and no other function calls it.
    """
    found = ctx.facts.marked(OPTIONS)
    frame = ctx.thread.frame if ctx.thread.frames else None
    places = {(chosen.function, chosen.variable) for chosen in found}
    if ctx.facts.is_any_marked(OPTIONS) or len(places) != 1 or frame is None or ctx.thread.template != "main":
        return None
    function, variable_name = places.pop()
    if frame.function != function or function in ctx.facts.recursive or texts.is_altered(ctx, texts.ARGUMENTS):
        return None
    objects = [of for local, of in frame.locals.items() if local.name == variable_name and isinstance(of, Object)]
    cell = ctx.memory.locate(Direct(objects[0], (), objects[0].type)) if len(objects) == 1 else None
    if not isinstance(cell, CellAt) or cell.is_shared or cell.is_summary or cell.name in ctx.thread.known:
        return None
    needed = frozenset.intersection(*(chosen.needed for chosen in found))
    return conjunction([compare(variable(cell.name), "!=", constant(option)) for option in sorted(needed)])


def size_term(ctx: Context, of: Object) -> Linear:
    """The bytes of the array, as a term over cells of the thread."""
    if ctx.memory.arguments is not None and ctx.thread.template == "main":
        return ctx.memory.arguments
    name = ctx.temporary(ADDRESS)
    ctx.builder.emit(Assign(name, variable(ctx.memory.size_cell(of))))
    return variable(name)
