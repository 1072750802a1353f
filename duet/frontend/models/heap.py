"""malloc and its like: an object for each place and way of calls that leads there, see `duet.frontend.graph.heap`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod

from duet.frontend.cells import gate, lifetimes, ownership, sharing, texts
from duet.frontend.cells.access import havoc_place, write
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import merged, number, whole_number
from duet.frontend.cells.extent import is_counted
from duet.frontend.cells.foreign import has_foreign
from duet.frontend.cells.heap import heap_object
from duet.frontend.cells.located import Initial
from duet.frontend.cells.memory import MANY_BYTES, SLOT
from duet.frontend.cells.size import are_too_many
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import UNKNOWN_POINTER
from duet.frontend.ctypes.types import ADDRESS, VOID, VOID_POINTER, ArrayType
from duet.frontend.ctypes.values import Address, Direct, Number, Object, Place, Value, literal
from duet.frontend.judgments.identity import RENEWED, UNNOTED
from duet.frontend.models.buffers import read_within
from duet.frontend.models.call import Call, Model, answer, done
from duet.frontend.models.contents import move_contents
from duet.frontend.models.counted import count_of, number_told_apart, take
from duet.frontend.source.nodes import Node
from duet.plip.marks import ALLOCATION_FAILS, MODELLED
from duet.plip.syntax import Assign, Havoc, Linear
from duet.plip.terms import add, compare, constant, scale, variable

REPLACED = ("aligned_alloc", "calloc", "free", "malloc", "memalign", "posix_memalign", "realloc")
"""The functions that the library calls itself, and that programs may have in their place (glibc's manual, 3.2.5)."""
_HEAP = ArrayType(VOID, None)
_ENOMEM, _EINVAL = 12, 22
# what lies between the bases of objects is kept free, so that no object reaches into the next one
_MARGIN = 65536


@dataclass(frozen=True, slots=True)
class Size:
    """The bytes of a new object: at least so many; exactly so many if that is known, else as a term if there is one."""

    least: int
    exact: int | None = None
    term: Linear | None = None


_ONE_CHARACTER = Size(1)
"""What is known of memory that the C library allocates for a string."""


def allocate(*sizes: int, is_zeroed: bool = False, may_fail: bool = True) -> Model:
    """Null, or the address of an object whose size is the product of the arguments at the positions `sizes`."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        size = _product(ctx, [values[place] for place in sizes if place < len(values)], len(sizes))
        if not may_fail or ctx.options.assumes("malloc-succeeds"):
            return answer(ctx, _unshared(ctx, call, size, is_zeroed))
        whole = _whole(ctx, size)
        found, failed = ctx.builder.fork(2, is_given=True)
        ctx.builder.at(failed)
        ctx.builder.doubt(ALLOCATION_FAILS)
        ctx.builder.at(found)
        value = _unshared(ctx, call, _of_whole(ctx, size, whole), is_zeroed)
        return [(ctx.builder.current, value), (failed, literal(0, VOID_POINTER))]

    return model


def map_new(ctx: Context, call: Call, length: Value) -> Number:
    """The address of a new object of a length that holds zeros, and that `free` does not give back."""
    value = _unshared(ctx, call, _product(ctx, [length], 1), is_zeroed=True)
    ctx.facts.mark(lifetimes.MAPPED, *(of.key for of in ctx.memory.pointed(value.origins)))
    return value


def stacked(in_block: bool = False) -> Model:
    """alloca: the address of an object that is there until the function that calls it ends, or the block around it.

    Where a block ends is not looked at: the object may be gone at once.
    """

    def model(ctx: Context, call: Call) -> list[Outcome]:
        ((location, value),) = allocate(0, may_fail=False)(ctx, call)
        assert isinstance(value, Number)
        ctx.builder.at(location)
        lifetimes.begin_stacked(ctx, ctx.memory.pointed(value.origins))
        if in_block:
            lifetimes.leave_stack(ctx)
        return answer(ctx, value)

    return model


def written(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_text(size)`: a new object of so many bytes, with a string in it, for one call."""
    size = _product(ctx, call.evaluate_all(ctx), 1)
    texts.give(ctx, site(ctx, call))
    return answer(ctx, _unshared(ctx, call, size, is_zeroed=False, is_text=True))


def copied(ctx: Context, call: Call) -> list[Outcome]:
    """strdup and the like: null, or a new object with any characters."""
    call.evaluate_all(ctx)
    return _copy(ctx, call)


def copied_within(ctx: Context, call: Call) -> list[Outcome]:
    """strndup: as strdup, of at most so many characters."""
    text, limit = call.value(ctx, 0), call.number(ctx, 1)
    read_within(ctx, call, text, 0, limit)
    return _copy(ctx, call)


def _copy(ctx: Context, call: Call) -> list[Outcome]:
    found, *failed = ctx.builder.fork(1 if ctx.options.assumes("malloc-succeeds") else 2, is_given=True)
    for way in failed:
        ctx.builder.at(way)
        ctx.builder.doubt(ALLOCATION_FAILS)
    ctx.builder.at(found)
    value = _unshared(ctx, call, _ONE_CHARACTER, is_zeroed=False, is_text=True)
    return [(ctx.builder.current, value), *((way, literal(0, VOID_POINTER)) for way in failed)]


def allocate_into(ctx: Context, call: Call) -> list[Outcome]:
    """posix_memalign: 0 and an object behind the first argument, or an error number."""
    target = call.target(ctx, 0)
    call.value(ctx, 1)
    size = _product(ctx, [call.value(ctx, 2)], 1)
    errors = (_EINVAL,) if ctx.options.assumes("malloc-succeeds") else (_ENOMEM, _EINVAL)
    found, *failed = ctx.builder.fork(1 + len(errors))
    ctx.builder.at(found)
    write(ctx, target, _fresh(ctx, call, size, is_zeroed=False), call.node)
    ctx.builder.flush()
    ways = zip(failed, errors, strict=True)
    return [(ctx.builder.current, literal(0)), *((way, literal(code)) for way, code in ways)]


def new_object(ctx: Context, call: Call) -> Number:
    """The address of a new object of unknown size that holds anything."""
    return _fresh(ctx, call, _ONE_CHARACTER, is_zeroed=False)


def new_text(ctx: Context, call: Call, target: Place) -> None:
    """Lets a pointer point to a new object with any characters."""
    write(ctx, target, _fresh(ctx, call, _ONE_CHARACTER, is_zeroed=False, is_text=True), call.node)
    ctx.builder.flush()


def resize(*sizes: int) -> Model:
    """realloc: null, or an object that is as good as the old one, of unknown size, at any address.

    The old object is gone where this succeeds, so one object can stand for both; what was behind its end is new. Where
    it may be one of many, or any, it is a new one. The new size is the product of the arguments at the positions
    `sizes`. For schedules the object is always moved, which C allows.
    """

    def model(ctx: Context, call: Call) -> list[Outcome]:
        return _resized(ctx, call, sizes)

    return model


def _resized(ctx: Context, call: Call, sizes: tuple[int, ...]) -> list[Outcome]:
    values = call.evaluate_all(ctx)
    old = number(ctx, values[0]) if values and isinstance(values[0], Address | Number) else literal(0)
    size = _product(ctx, [values[place] for place in sizes if place < len(values)], len(sizes))
    argument = call.arguments[0].node if call.arguments else call.node
    if number_told_apart(ctx):
        return _moved(ctx, call, old, size, argument)
    ctx.builder.doubt(f"{call.name} {MODELLED}")
    gate.release(ctx, old, call.node, argument)
    ctx.builder.flush()
    whole = _whole(ctx, size)
    found, *failed = ctx.builder.fork(1 if _finds_memory(ctx, size) else 2)
    ctx.builder.at(found)
    size = _of_whole(ctx, size, whole) if failed else size
    known = ctx.memory.pointed(old.origins)
    if old.origins & UNKNOWN_POINTER or are_too_many(ctx, known):
        value = _renewed(ctx, call, size)
    else:
        value = _as_good_as(ctx, call, old, known, size)
    return [(ctx.builder.current, value), *((way, literal(0, VOID_POINTER)) for way in failed)]


def _renewed(ctx: Context, call: Call, size: Size) -> Number:
    """A new object that holds anything, where nobody knows which one it was: the others stay as they are.

    It may still be where that one was.
    """
    ctx.assume(f"what {call.name} was given is not used by its old address, where nobody knows which object that is")
    value = _fresh(ctx, call, size, is_zeroed=False)
    ctx.facts.mark(RENEWED, *(of.key for of in ctx.memory.pointed(value.origins)))
    for of in ctx.memory.pointed(value.origins):
        whole = heap_object(ctx, of)
        if whole is not None and of.key not in ctx.facts.objects.untracked.lost:  # of which nothing is known anyway
            havoc_place(ctx, Direct(whole, (), whole.type), UNKNOWN_POINTER)
    return value


def _as_good_as(ctx: Context, call: Call, old: Number, known: Sequence[Object], size: Size) -> Number:
    """The old object or a new one, of unknown size, at any address."""
    fresh = _fresh(ctx, call, Size(size.least), is_zeroed=False)
    for key in (of.key for of in (*known, *ctx.memory.pointed(fresh.origins)) if of.kind == "heap"):
        ctx.facts.objects.repeated.add(key)
        ctx.facts.objects.resized.add(key)
        texts.alter(ctx, key)
        ctx.facts.layouts.size(key, None)
        ctx.facts.layouts.at_least(key, size.least)
    return ctx.havoc(VOID_POINTER, fresh.origins | old.origins, low=1)


def _finds_memory(ctx: Context, size: Size) -> bool:
    """Whether `realloc` certainly gives an object: asked for no bytes it may give null (glibc frees the old one)."""
    return size.least > 0 and ctx.options.assumes("malloc-succeeds")


def _moved(ctx: Context, call: Call, old: Number, size: Size, argument: Node) -> list[Outcome]:
    """Null, or a new object with what is known of the old one, which is given back."""
    builder = ctx.builder
    builder.flush()
    if not size.least:
        builder.doubt(f"{call.name} may be asked for no memory at all")
    found, *failed = builder.fork(1 if _finds_memory(ctx, size) else 2, is_given=True)
    for way in failed:
        builder.at(way)
        builder.doubt(ALLOCATION_FAILS)
    builder.at(found)
    gate.release(ctx, old, call.node, argument)
    value = _unshared(ctx, call, size, is_zeroed=False)
    with sharing.in_library(ctx):
        move_contents(ctx, old, value, call.node)
    builder.flush()
    return [(builder.current, value), *((way, literal(0, VOID_POINTER)) for way in failed)]


def release(ctx: Context, call: Call) -> list[Outcome]:
    """free: the object is not used again, so its cells stay as they are."""
    for value in call.evaluate_all(ctx)[:1]:
        if isinstance(value, Number | Address):
            ctx.builder.note_freeing(number(ctx, value).term)
            gate.release(ctx, number(ctx, value), call.node, call.arguments[0].node)
    return done(ctx)


def _product(ctx: Context, values: list[Value], count: int) -> Size:
    """The product of sizes."""
    numbers = [number(ctx, value) for value in values if isinstance(value, Number | Address)]
    if len(numbers) != count or not count:
        return Size(0)
    known = [found.constant for found in numbers if found.constant is not None]
    others = [found.term for found in numbers if found.constant is None]
    least, term = prod(max(found.lo, 0) for found in numbers), None
    if len(others) <= 1:
        ctx.builder.flush()
        term = scale(others[0] if others else constant(1), prod(known))
    return Size(least, None if others else prod(known), term)


def _whole(ctx: Context, size: Size) -> Linear | None:
    """What a size is where there is such an object: over numbers with a sign, which were converted for the call."""
    ctx.builder.flush()
    return None if size.term is None else whole_number(ctx, size.term)


def _of_whole(ctx: Context, size: Size, whole: Linear | None) -> Size:
    """The size of what was allocated: no object has more than half of all addresses, so none of negative size does."""
    if whole is None:
        return size
    ctx.builder.assume(compare(whole, ">=", constant(0)))
    return replace(size, term=whole)


def site(ctx: Context, call: Call) -> str:
    """The key of what is made by a call here; it may stand for several ones (see `duet.frontend.graph.heap`)."""
    calls = [f"{frame.call.line}:{frame.call.column}" for frame in ctx.thread.frames[1:] if frame.call is not None]
    way = "/".join((*calls, *(f"@{copy}" for copy in ctx.thread.copy)))
    place = str(ctx.span(call.node))
    key, is_shared = ctx.sites.key(place, ctx.thread.template, way)
    ctx.builder.flush()
    if not ctx.is_silent:
        ctx.sites.note(ctx.thread.template, place, key, ctx.builder.current)
    if is_shared:
        ctx.facts.objects.repeated.add(key)
    return key


def _unshared(ctx: Context, call: Call, size: Size, is_zeroed: bool, is_text: bool = False) -> Number:
    """The address of a new object that nobody else knows of, here."""

    def note(value: Number) -> None:
        for of in ctx.memory.pointed(value.origins):
            ownership.note_allocation(ctx, of.origin, value.term)

    return _fresh(ctx, call, size, is_zeroed, note, is_text)


def _fresh(
    ctx: Context,
    call: Call,
    size: Size,
    is_zeroed: bool,
    note: Callable[[Number], object] | None = None,
    is_text: bool = False,
) -> Number:
    """The address of a new object, here; each of the first ones of a place may be told apart from the others.

    `note` is told the address where it is known.
    """
    key, builder = site(ctx, call), ctx.builder
    first = number_told_apart(ctx)
    if note is None:
        ctx.facts.mark(UNNOTED, key)
    if is_text and not first:
        texts.note(ctx, key)
    else:
        texts.alter(ctx, key)
    if not first or key not in ctx.facts.objects.repeated or key in ctx.facts.objects.resized:
        value = _object(ctx, call, key, size, is_zeroed)
        if note is not None:
            note(value)
        return value
    builder.flush()
    start, count = builder.current, count_of(ctx, key, f"allocations of {call.name}()")
    outcomes: list[Outcome] = []
    for turn in range(first + 1):
        builder.at(start)
        is_one = turn < first
        taken = take(ctx, count, compare(variable(count), "==" if is_one else ">=", constant(turn)))
        own = f"{key}#{turn}" if is_one else key
        value = _object(ctx, call, own, size, is_zeroed, None if is_one else variable(taken))
        if note is not None:
            note(value)
        builder.flush()
        outcomes.append((builder.current, value))
    return number(ctx, merged(ctx, outcomes, VOID_POINTER))


def _object(ctx: Context, call: Call, key: str, size: Size, is_zeroed: bool, turn: Linear | None = None) -> Number:
    """The address of the new object with a key, or of one of the objects that this stands for.

    With a number of each of these (`turn`) it is that of no other one. What the thread knows of it, whatever other
    threads allocate, is in cells of its own (`Memory.own_cells`).
    """
    facts = ctx.facts
    is_once = str(ctx.span(call.node)) in ctx.sites.once
    is_each_ones = ctx.thread.template in facts.many and may_stay(ctx, key) and not is_once
    is_confined = _is_confined(ctx, call.node, key)
    owner = ctx.thread.template if is_each_ones or is_confined else None
    known = ctx.memory.objects.get(key)
    if known is not None and known.template != owner:
        facts.growth.count()  # what was lowered in this round may have accessed it as that
    of = Object(key, _HEAP, "heap", owner, f"{call.name}()", ctx.span(call.node))
    ctx.memory.confine(of, is_confined)
    facts.layouts.size(key, size.exact)
    facts.layouts.at_least(key, size.least)
    if is_counted(ctx, of):
        cell = ctx.memory.size_cell(of)
        ctx.builder.flush()
        ctx.builder.emit(Assign(cell, size.term) if size.term is not None else Havoc(cell, size.least, ADDRESS.hi))
    is_zero = is_zeroed and key not in facts.objects.resized
    ctx.memory.declare(of, Initial({}, {}) if is_zero else None)
    if not texts.is_out_of_reach(ctx, key):
        facts.objects.addressed.add(key)
    if not ctx.memory.is_multiple(of):
        base = ctx.memory.base(of.origin, MANY_BYTES)
        lifetimes.begin(ctx, of)
        return Number(constant(base), VOID_POINTER, base, base, of.origins)
    found = _one_of_several(ctx, of, turn)
    if is_counted(ctx, of) and size.term is not None:
        start, extent = ctx.memory.own_cells(of, ctx.thread.template)
        ctx.builder.flush()
        ctx.builder.emit(Assign(start, found.term))
        ctx.builder.emit(Assign(extent, size.term))
    return found


def _is_confined(ctx: Context, node: Node, key: str) -> bool:
    """Whether only the thread that allocates an object by a call at a node has its address. A driver's are shared.

    What a function gives back that others may call, others may have.
    """
    if ctx.options.model == "linux" or key in ctx.facts.objects.open:
        return False
    functions, options = ctx.declared.functions, ctx.options
    is_closed = "main" in functions and not options.entries and not options.parameterized and not has_foreign(ctx)
    others = {*ctx.facts.functions, *ctx.declared.aliases.values(), *REPLACED} if is_closed else functions
    return ctx.forms.confined.has(node, functions, others)


def may_stay(ctx: Context, key: str) -> bool:
    """Whether only the thread that allocates an object reaches it, as far as is known. A driver's are not looked at."""
    return ctx.options.model != "linux" and ctx.memory.stays(key)


def _one_of_several(ctx: Context, of: Object, turn: Linear | None) -> Number:
    """The address of one of the objects that one stands for."""
    base, origins = ctx.memory.base(of.origin, MANY_BYTES), of.origins
    name, top = ctx.temporary(VOID_POINTER), base + MANY_BYTES - _MARGIN
    if not ctx.memory.is_in_slots(of):
        ctx.builder.emit(Havoc(name, base, top))
        return Number(variable(name), VOID_POINTER, base, top, origins)
    slot, (first, last) = ctx.temporary(ADDRESS), ctx.memory.slots(of)
    if turn is not None:
        ctx.builder.emit(Assign(slot, add(turn, constant(first))))
        ctx.builder.assume(compare(variable(slot), "<=", constant(last)))
    else:
        ctx.builder.emit(Havoc(slot, first, last))
    ctx.builder.emit(Assign(name, scale(variable(slot), SLOT)))
    return Number(variable(name), VOID_POINTER, first * SLOT, last * SLOT, origins)
