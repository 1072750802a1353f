"""Addresses in memory that is not followed as pointers are: in bytes, numbers and text, of whatever type that is.

Code that is not there may put an address into any memory that is large enough, and who is given that memory, or a copy
of it, may take it as one. The program itself does so where it copies a pointer byte by byte, prints it or sends it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from duet.frontend.cells import texts
from duet.frontend.cells.context import Context
from duet.frontend.cells.escapes import contents, held_by, known_outside, note_untracked, pointers_in, publish
from duet.frontend.cells.foreign import KEPT
from duet.frontend.ctypes.origins import (
    ANYTHING,
    MOVED,
    NO_OBJECT,
    NOTHING,
    NUMBER,
    UNKNOWN_POINTER,
    Content,
    DataKey,
    Elsewhere,
    ObjectAddress,
    Origins,
    ThreadId,
    UntrackedParts,
    addresses,
    leads_to_parts,
    marks,
    may_be_any,
)
from duet.frontend.ctypes.types import ArrayType, CType, FloatType, IntType, PointerType
from duet.frontend.ctypes.values import Address, Direct, Indirect, Number, Object, Value

_APART = Elsewhere("bytes, numbers and text of the program")
"""Where the addresses are of which the program made something else: nobody knows where that is afterwards."""
_IN_NUMBERS = Elsewhere("numbers of the program")
"""Where the addresses are that may be in numbers of their size: what unknown code is given by value may be one."""
_CONVERTED = Elsewhere("numbers that the program made of pointers")
"""Where the addresses are of which the program made numbers itself."""
_COPIED = Elsewhere("bytes of the program")
"""Where the addresses are that may be in memory otherwise than as pointers, or were in what a library function read."""
_RESULTS = Elsewhere("structures that unknown functions returned")
_OF_OTHERS = NO_OBJECT - {ANYTHING} | {ObjectAddress(texts.LIBRARY)}
"""Addresses of which the program makes nothing new: a library may always have its own."""
BYTES = "bytes that are read through a pointer of which nothing is known are no part of an address of the program"
"""What is assumed of what code that is not there is given."""
CASES = "the program does not find out by comparisons which address is in a number that an unknown function gave it"
"""What is assumed of numbers of code that is not there, which may be addresses."""


def note(ctx: Context, place: Direct, origins: Origins) -> None:
    """Records that a part of an object may have addresses of some origins in it."""
    ctx.facts.pointers.hold(_COPIED, addresses(origins) - _OF_OTHERS)
    if origins and _has_room(ctx, place.type):
        note_untracked(ctx, place.object, origins)
        if ctx.memory.has_part(place.type, partial(_is_number, ctx)):
            ctx.facts.pointers.hold(_IN_NUMBERS, origins)


def note_behind(ctx: Context, pointer: Value, origins: Origins) -> None:
    """Records that what a pointer leads to may have addresses of some origins in it."""
    for of in _objects(ctx, pointer) if origins else ():
        note(ctx, Direct(of, (), of.type), origins)


def note_result(ctx: Context, origins: Origins) -> None:
    """Records that a structure that unknown code returned may have addresses of some origins in it."""
    ctx.facts.pointers.hold(_RESULTS, origins)


def in_results(ctx: Context) -> Origins:
    """The origins of addresses in structures that unknown code returned."""
    return ctx.facts.pointers.held(_RESULTS)


def within(ctx: Context, of: Object) -> Origins:
    """The origins of the addresses that are in an object beside those in its pointers: in numbers, bytes and unions.

    In unions of static objects any address may be where the initial values are not known.
    """
    held = ctx.facts.pointers.held(UntrackedParts(of.key))
    if not ctx.memory.has_union(of.type):
        return held
    initial = ctx.memory.initial.get(of.key)
    if initial is None:
        return held | UNKNOWN_POINTER if of.kind in ("global", "thread") else held
    return held | initial.pointing


def in_copy(ctx: Context, of: Object) -> Origins:
    """The origins of the addresses that go with a copy of an object, beside those in its pointers."""
    is_lost = of.key in ctx.facts.objects.lost_of(of.kind)
    return UNKNOWN_POINTER if is_lost and ctx.memory.has_union(of.type) else within(ctx, of)


def take_apart(ctx: Context, pointer: Value) -> None:
    """Records that the program makes something else of what is behind a pointer, such as a message."""
    for of in _objects(ctx, pointer):
        _take(ctx, contents(ctx, of.key))


def take_bytes(ctx: Context, pointer: Value) -> None:
    """Records that the program reads a byte, or a number, where a pointer may be."""
    for of in _objects(ctx, pointer):
        is_in_cells = of.key not in ctx.facts.objects.lost_of(of.kind) and not ctx.memory.has_union(of.type)
        for held in held_by(ctx, of.key, is_in_cells):
            _take(ctx, held)


def take_overlaid(ctx: Context, of: Object) -> None:
    """Records that the program reads what is no pointer in an object, where a union may have one there, too."""
    if ctx.memory.has_union(of.type):
        _take(ctx, contents(ctx, of.key))


def take_apart_value(ctx: Context, value: Value, with_ids: bool = True) -> None:
    """Records that the program makes something else of a value that may be an address, such as text.

    Ids of threads, and keys of what these have, are left out if they are not `with_ids`.
    """
    if isinstance(value, Number):  # also of a part of an address
        left = () if with_ids else [it for it in value.origins if isinstance(it, ThreadId | DataKey)]
        _take(ctx, value.origins.difference(left))


def note_number(ctx: Context, pointer: Number) -> None:
    """Records that the program makes a number of a pointer."""
    ctx.facts.pointers.hold(_CONVERTED, addresses(pointer.origins) - _OF_OTHERS)


def note_cases(ctx: Context, value: Number) -> None:
    """Records that the program calculates or compares with a number, by which it may find out what address that is."""
    told = addresses(value.origins) - _OF_OTHERS if isinstance(value.type, IntType) else None
    if told:
        own = told & ctx.facts.pointers.held(_CONVERTED)
        _take(ctx, own)
        if told - own - ctx.facts.pointers.held(_APART):
            ctx.assume(CASES)


def note_compared(ctx: Context, a: Number, b: Number) -> None:
    """Records that the program compares two pointers: one made of a number says which number the other one is.

    So does one that was moved, if that may be out of its object. Any thread may have that number then.
    """
    is_between = not _are_of_one(a, b)
    for one, other in ((a, b), (b, a)):
        is_moved = is_between and (MOVED in one.origins or bool(marks(one.origins)))
        if is_moved or not one.origins.isdisjoint(UNKNOWN_POINTER):
            ctx.facts.pointers.hold(_COPIED, addresses(other.origins) - _OF_OTHERS)
        if is_moved or may_be_any(one.origins):
            _tell(ctx, other.origins)


def note_distance(ctx: Context, a: Number, b: Number) -> None:
    """Records that the program subtracts two pointers: between objects, or from null, that says where one is.

    Any thread may have that number then, too.
    """
    if not _are_of_one(a, b):
        ctx.facts.pointers.hold(_COPIED, addresses(a.origins | b.origins) - _OF_OTHERS)
        _tell(ctx, a.origins | b.origins)


def _are_of_one(a: Number, b: Number) -> bool:
    """Whether two pointers lead to one object."""
    return addresses(a.origins) == addresses(b.origins) and len(addresses(a.origins)) == 1


def _tell(ctx: Context, origins: Origins) -> None:
    """Records that other threads may have the addresses of objects, in numbers."""
    told = addresses(origins) - NO_OBJECT
    ctx.facts.objects.open.add(*(of.key for of in ctx.memory.pointed(told) if of.kind in ("local", "heap")))
    publish(ctx, told)


def note_bytes(ctx: Context, pointer: Value) -> None:
    """Records that a library function reads bytes, or text, where a pointer leads, and may say something of them.

    There are no addresses where it leads to characters of an object, as it was not made of a pointer to something else.
    """
    for of in _objects(ctx, pointer):
        if not _leads_to_text(ctx, pointer, of):
            for held in held_by(ctx, of.key):
                ctx.facts.pointers.hold(_COPIED, addresses(held) - _OF_OTHERS)


def _leads_to_text(ctx: Context, pointer: Value, of: Object) -> bool:
    match pointer:
        case Address(place):
            return _is_text(place.type)
        case Number(_, PointerType(IntType(size=1)), origins=origins):
            casts = ctx.facts.layouts.recast.get(of.origin, ())
            return leads_to_parts(origins) and not any(ctx.memory.types.size(kind) == 1 for kind in casts)
        case _:
            return False


def _is_text(kind: CType) -> bool:
    """Whether a type is that of characters: in a larger number a part of an address may be."""
    return kind.size == 1 if isinstance(kind, IntType) else isinstance(kind, ArrayType) and _is_text(kind.element)


def _take(ctx: Context, origins: Origins) -> None:
    ctx.facts.pointers.hold(_APART, addresses(origins) - _OF_OTHERS)


def in_union(ctx: Context, place: Direct) -> Origins:
    """The origins of a pointer that is read from memory without cells, where that may be a union.

    It was written to a union of the object as a pointer, or came there with a whole structure; or by code that is not
    there, which has it or is given it in numbers, bytes or text. Where the program or a library wrote numbers or bytes,
    it leads anywhere, as any pointer that is made of a number does (`note_in_union`).
    """
    of, held = place.object, ctx.facts.pointers.held
    if (
        ctx.options.model == "linux"
        or not ctx.memory.is_in_union(place)
        or of.key in ctx.facts.objects.lost_of(of.kind)
    ):
        return pointers_in(ctx, of)
    found = within(ctx, of)
    if NUMBER in found:
        return found | UNKNOWN_POINTER
    made = held(_APART) | held(_IN_NUMBERS) | held(_CONVERTED) | held(_COPIED) | held(KEPT)
    return found | made | known_outside(ctx) | {Content(UntrackedParts(of.key))}


def note_in_union(ctx: Context, of: Object, value: Value) -> None:
    """Records that something is written to a part without a cell of an object, which may be in a union.

    Pointers are what they are; a constant that is as large as an address leads to no object (`convert.FIXED`).
    """
    if isinstance(value, Number) and (isinstance(value.type, PointerType) or _is_fixed(ctx, value)):
        return
    if ctx.memory.has_union(of.type):
        note_untracked(ctx, of, frozenset((NUMBER,)))


def _is_fixed(ctx: Context, value: Number) -> bool:
    return _is_constant(value) and _has_room(ctx, value.type)


def given(ctx: Context, values: Iterable[Value], is_foreign: bool) -> Origins:
    """The origins of the addresses that unknown code may find in values, and in memory, beside those in pointers.

    Code of the program that is not there, which `is_foreign`, gets numbers from anywhere: from memory, a file, `errno`,
    or as what a function of the program returns to it. A library gets none but what it is given.
    """
    found = ctx.facts.pointers.held(_APART)
    numbers = [value.type for value in values if _is_any_number(value.type) and not _is_constant(value)]
    if is_foreign or numbers:
        found |= ctx.facts.pointers.held(_COPIED)
    if is_foreign or any(not isinstance(kind, IntType | FloatType) or _has_room(ctx, kind) for kind in numbers):
        found |= ctx.facts.pointers.held(_IN_NUMBERS)
    return found


def in_memory(ctx: Context, reached: Origins) -> Origins:
    """The origins of the addresses that unknown code may find in what is no pointer, in memory that it gets to."""
    found = [of for of in ctx.memory.pointed(reached) if not of.is_string]
    if not any(of.kind == "heap" or ctx.memory.has_part(of.type, _is_any_number) for of in found):
        return NOTHING
    return ctx.facts.pointers.held(_COPIED) | ctx.facts.pointers.held(_IN_NUMBERS)


def _is_any_number(kind: CType) -> bool:
    return not isinstance(kind, PointerType)


def _objects(ctx: Context, pointer: Value) -> Sequence[Object]:
    """The objects that a pointer leads to, as far as they are known."""
    match pointer:
        case Address(Direct(of)):
            return (of,)
        case Number(origins=origins) | Address(Indirect(Number(origins=origins))):
            if may_be_any(origins):
                ctx.assume(BYTES)
            return ctx.memory.pointed(origins)
        case _:
            return ()


def _is_number(ctx: Context, kind: CType) -> bool:
    """Whether an address may be in a number of a type."""
    return isinstance(kind, IntType | FloatType) and _has_room(ctx, kind)


def _is_constant(value: Value) -> bool:
    return isinstance(value, Number) and value.constant is not None


def _has_room(ctx: Context, kind: CType) -> bool:
    """Whether an address has room in a type, whatever is there."""
    size = ctx.memory.types.size(kind)
    return size is None or size >= ctx.data.pointer
