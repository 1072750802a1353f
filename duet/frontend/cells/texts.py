"""Strings that end: those of the library and of the arguments of `main`, and copies that the library makes of strings.

*Source*: C11 5.1.2.2.1 (arguments), 7.22.4.6 (`getenv`), 7.24.6.2 (`strerror`); POSIX for others and for `strdup`. All
strings of the library are one object of the heap that stands for several, of any size, and so are the names that the
kernel keeps. Such memory holds strings for as long as nothing but null characters is written to it.
*Approximates*: under. Whatever may be written through any pointer that may lead there makes all that an allocation has
made, or all strings of the library, hold any characters; names only through pointers that came from them.

Of each local array of characters that only its thread can reach a cell tells whether a null character is in it: any
write that may be one to the array sets it to 0, a null character or a string that is written there to 1. In large
programs there are no such cells; what is written to arrays whose address nobody else has is noted beside the graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from duet.frontend.cells import last_bytes, size
from duet.frontend.cells.context import Context
from duet.frontend.cells.extent import Extent
from duet.frontend.ctypes.origins import (
    EXTERNAL,
    OUTSIDE,
    UNKNOWN_POINTER,
    Content,
    Elsewhere,
    ObjectAddress,
    Origins,
    UntrackedParts,
    addresses,
    may_be_any,
)
from duet.frontend.ctypes.types import VOID, ArrayType, StructType, VoidType
from duet.frontend.ctypes.values import Address, Direct, Index, Indirect, Number, Object, Place, Value
from duet.frontend.graph.insides import Text
from duet.frontend.judgments.marks import Mark
from duet.plip.syntax import WHETHER, Assign, Cell
from duet.plip.terms import constant

LIBRARY = "heap strings of the library"
"""The key of the object that stands for all strings of the library."""
NAMES = "heap names of the kernel"
"""The key of the object that stands for all names that the kernel keeps: only pointers that came from it lead there."""
MESSAGES = "heap messages of the library"
"""The key of the object that stands for all messages of the library, which no program may modify (C11 7.24.6.2)."""
LENT = "heap strings that libraries lend"
"""The key of the object that stands for strings in structures of libraries, which may be gone when these are."""
CONSTANT = frozenset((NAMES, MESSAGES, LENT))
"""The keys of objects that are not written through pointers of which nothing is known."""
ARGUMENTS = "heap arguments of main"
"""The key of the array of pointers that `main` is given."""
OPTION = Elsewhere("optarg")
"""What `getopt` and its like have made `optarg` lead to."""
OPTIONS = (OPTION.key, "optind")
"""The variables of the library that these change, as far as anything is known of them."""
_ALTERED: Mark[str] = Mark("strings that may not end")
"""The mark of objects that began as strings and may hold anything by now."""
_GIVEN: Mark[str] = Mark("strings that only one call is given")
"""The mark of objects that the kernel makes for one call: only what that does with their addresses leads there."""


def of_library(ctx: Context) -> Origins:
    """The origins of a pointer to a string of the library or of the arguments of `main`."""
    of = Object(LIBRARY, ArrayType(VOID, None), "heap", None, "a string of the library")
    if LIBRARY not in ctx.memory.objects:
        ctx.memory.declare(of, None)
    facts = ctx.facts
    for known in (facts.objects.repeated, facts.objects.resized, facts.objects.addressed):
        known.add(LIBRARY)
    facts.layouts.size(LIBRARY, None)
    facts.layouts.at_least(LIBRARY, 1)
    note(ctx, LIBRARY)
    return of.origins


def of_kernel(ctx: Context) -> Origins:
    """The origins of a pointer to a name that the kernel keeps."""
    return _constant(ctx, NAMES, "a name of the kernel")


def of_messages(ctx: Context) -> Origins:
    """The origins of a pointer to a message of the library, which no program modifies."""
    return _constant(ctx, MESSAGES, "a message of the library")


def of_structures(ctx: Context) -> Origins:
    """The origins of a pointer to a string in a structure of a library, which no program modifies."""
    return _constant(ctx, LENT, "a string of a library")


def _constant(ctx: Context, key: str, label: str) -> Origins:
    """The origins of a pointer to one of some strings that only code writes which is not there."""
    of = Object(key, ArrayType(VOID, None), "heap", None, label, is_const=True)
    if key not in ctx.memory.objects:
        ctx.memory.declare(of, None)
    ctx.facts.objects.repeated.add(key)
    ctx.facts.objects.resized.add(key)
    ctx.facts.layouts.size(key, None)
    ctx.facts.layouts.at_least(key, 1)
    note(ctx, key)
    return of.origins


def note(ctx: Context, key: str) -> None:
    """Notes that an allocation makes an object with a string in it."""
    ctx.memory.texts.add(key)


def alter(ctx: Context, key: str) -> None:
    """Notes that an object may hold anything, from the start or from some time on."""
    if key in ctx.memory.texts:
        ctx.facts.mark(_ALTERED, key)


def is_altered(ctx: Context, key: str) -> bool:
    """Whether something else may be in an object than it began with, as far as strings and arguments are concerned."""
    is_open = key not in CONSTANT and key in ctx.facts.objects.untracked and not is_out_of_reach(ctx, key)
    return is_open or key in ctx.facts.marked(_ALTERED)


def give(ctx: Context, key: str) -> None:
    """Notes that an object with a string in it was made for one call, which is given its address."""
    ctx.facts.mark(_GIVEN, key)


def is_out_of_reach(ctx: Context, key: str) -> bool:
    """Whether no pointer of which nothing is known leads to an object: its address was put nowhere outside."""
    of = ctx.memory.objects.get(key)
    is_kept = of is not None and of.origin in ctx.facts.pointers.held(OUTSIDE)
    return key in ctx.facts.marked(_GIVEN) and key not in ctx.facts.objects.escaped and not is_kept


def is_text(ctx: Context, of: Object) -> bool:
    """Whether a string begins wherever a pointer to an object leads that was never moved."""
    return of.key in ctx.memory.texts and of.key != ARGUMENTS and not is_altered(ctx, of.key)


def are_as_given(ctx: Context, origins: Origins) -> bool:
    """Whether a pointer leads to strings of the library that end at first, or to others that end always."""
    found = ctx.memory.only(origins)
    is_kept = LIBRARY not in ctx.facts.objects.untracked.always
    return bool(found) and is_kept and all(of.key == LIBRARY or is_text(ctx, of) for of in found)


def argument_of_option(ctx: Context) -> Origins:
    """The origins of `optarg`: what functions like `getopt` have set it to, or the program itself."""
    return (
        ctx.facts.pointers.held(OPTION)
        | ctx.facts.pointers.held(UntrackedParts("optarg"))
        | {Content(OPTION), Content(UntrackedParts("optarg"))}
    )


def known_text(ctx: Context, value: Value) -> list[int] | None:
    """The characters of a literal from where a pointer points, without the final 0; None for other strings."""
    if not isinstance(value, Address) or not isinstance(value.place, Direct):
        return None
    of, path = value.place.object, value.place.path
    start = path[0].constant if len(path) == 1 and isinstance(path[0], Index) else None
    return None if start is None else literal_text(ctx, of, start)


def literal_text(ctx: Context, of: Object, start: int) -> list[int] | None:
    """The characters of a literal from some place on, without the final 0; None for what is no literal."""
    initial = ctx.memory.initial.get(of.key)
    if not of.is_string or initial is None or not isinstance(of.type, ArrayType):
        return None
    length = of.type.length
    if length is None or not 0 <= start < length:
        return None
    codes = [initial.values.get((at,), 0) for at in range(start, length)]
    return codes[: codes.index(0)] if 0 in codes else None


def end_of(ctx: Context, of: Object) -> str | None:
    """The cell that is 1 only while an array of characters has a null character in it; None where there is none.

    There is one for each array that only the thread can reach, and that it has once, but in large programs.
    """
    kind, facts = of.type, ctx.facts.objects
    if of.kind != "local" or of.template != ctx.thread.template or not ctx.wants("array-bounds"):
        return None
    if not isinstance(kind, ArrayType) or not kind.length or ctx.memory.types.size(kind.element) != 1:
        return None
    if ctx.memory.is_shared(of) or of.key in facts.reentrant or of.key in facts.untracked or size.is_large(ctx):
        return None
    name = f"{of.key}#ends"
    if name not in ctx.memory.cells:
        ctx.memory.cells[name] = Cell(name, of.template, False, 0, 0, f"{WHETHER}{of.label} ends", of.span)
    return name


def own_around(ctx: Context, known: Iterable[Object], origins: Origins) -> frozenset[str] | None:
    """The keys of the objects that a pointer to characters leads to, if no other thread can change what is in them."""
    if not UNKNOWN_POINTER.isdisjoint(origins):
        return None
    found = frozenset(of.key for of in known if of.is_string or _is_own_array(ctx, of))
    return found if found and len(found) == len(addresses(origins)) else None


def _is_own_array(ctx: Context, of: Object) -> bool:
    """Whether an object is an array of characters that a thread has once, and whose address nobody else ever has."""
    is_tracked = of.key not in ctx.facts.objects.untracked and not ctx.memory.is_shared(of)
    is_own = of.kind == "local" and of.template == ctx.thread.template and (is_tracked or ctx.memory.is_confined(of))
    is_text = isinstance(of.type, ArrayType) and ctx.memory.types.size(of.type.element) == 1
    return is_own and is_text and of.key not in ctx.facts.objects.reentrant and ctx.wants("array-bounds")


def _begin_anew(ctx: Context, origins: Origins, are_bytes: bool) -> None:
    """Forgets of arrays that an address with some origins may lead to whether a null character is in them."""
    if ctx.is_silent:
        return
    known = ctx.memory.objects
    if may_be_any(origins) or not addresses(origins):
        keys = sorted(ctx.memory.arrays.get(ctx.thread.template, ()))
        ctx.builder.insides.write(ctx.builder.current, None)
    else:
        keys = [item.key for item in origins if isinstance(item, ObjectAddress) and item.key in known]
        outside = (LIBRARY,) if EXTERNAL in origins and are_bytes else ()
        ctx.builder.insides.write(ctx.builder.current, frozenset((*keys, *outside)))
    for key in keys:
        _forget(ctx, known[key])


def forget(ctx: Context, of: Object) -> None:
    """An array of characters comes into being."""
    ctx.builder.insides.write(ctx.builder.current, frozenset((of.key,)))
    _forget(ctx, of)


def _forget(ctx: Context, of: Object) -> None:
    cell = end_of(ctx, of)
    if cell is not None:
        ctx.builder.flush()
        ctx.builder.emit(Assign(cell, constant(0)))


def note_end(ctx: Context, place: Place | Value) -> None:
    """Notes that there is a null character now where a place is, or behind a pointer in the array that it leads to."""
    if isinstance(place, Direct | Indirect):
        last_bytes.note_null(ctx, place)
    match place:
        case Direct(whole) | Address(Direct(whole)):
            key = whole.key
        case Indirect(Number(origins=origins)) | Address(Indirect(Number(origins=origins))) | Number(origins=origins):
            found = addresses(origins)
            only = next(iter(found)) if len(found) == 1 else None
            key = only.key if isinstance(only, ObjectAddress) else ""
        case _:
            return
    of = ctx.memory.objects.get(key)
    cell = end_of(ctx, of) if of is not None else None
    if cell is not None:
        ctx.builder.flush()
        ctx.builder.emit(Assign(cell, constant(1)))
    elif of is not None and not ctx.is_silent and _is_own_array(ctx, of):
        ctx.builder.note_given(Text(key, 0, frozenset((key,))))


@contextmanager
def kept(ctx: Context, is_kept: bool = True, are_nulls: bool = True) -> Iterator[None]:
    """What is written inside leaves strings what they are, if that is so; all characters that it writes `are_nulls`."""
    before, ctx.thread.keeps_texts = ctx.thread.keeps_texts, is_kept or ctx.thread.keeps_texts
    try:
        with last_bytes.kept(ctx, is_kept and are_nulls):
            yield
    finally:
        ctx.thread.keeps_texts = before


def note_write(ctx: Context, place: Place | Value, extent: Extent = None) -> None:
    """Notes that memory may be written: by its place, or anything around where a pointer points to.

    Of that no more than `extent` bytes are, from there on.
    """
    last_bytes.note_write(ctx, place, extent)
    match place:
        case Direct(of) | Address(Direct(of)):
            note_written(ctx, of.origins)
        case Indirect(address, base) | Address(Indirect(address, base)):
            width, origins = ctx.memory.types.size(base), address.origins
            if isinstance(base, StructType) and not UNKNOWN_POINTER.isdisjoint(origins):
                origins -= {ObjectAddress(NAMES)}  # the kernel gives whole structures
            note_written(ctx, origins, isinstance(base, VoidType) or width in (None, 1))
        case Number(origins=origins):
            note_written(ctx, origins)
        case _:
            return


def note_around(ctx: Context, origins: Origins) -> None:
    """Notes that anything may be written around where an address with some origins leads."""
    last_bytes.note_around(ctx, origins)
    note_written(ctx, origins)


def note_written(ctx: Context, origins: Origins, are_bytes: bool = True) -> None:
    """Notes that what an address with some origins leads to may be written, by characters or as bytes.

    Memory outside of the program may be strings of the library then; as something else than characters it is not.
    """
    if ctx.thread.keeps_texts:
        return
    _begin_anew(ctx, origins, are_bytes)
    is_settled = bool(ctx.facts.pointers.wild)  # else a pointer that leads nowhere may lead somewhere in the next round
    if may_be_any(origins) or (is_settled and not addresses(origins)):
        found = {key for key in ctx.memory.texts if not is_out_of_reach(ctx, key)} - CONSTANT
        if ARGUMENTS not in ctx.facts.objects.addressed and ObjectAddress(ARGUMENTS) not in origins:
            found.discard(ARGUMENTS)
        found |= CONSTANT & {origin.key for origin in origins if isinstance(origin, ObjectAddress)} & ctx.memory.texts
    else:
        found = {origin.key for origin in origins if isinstance(origin, ObjectAddress)} & ctx.memory.texts
        if EXTERNAL in origins and are_bytes and LIBRARY in ctx.memory.texts:
            found.add(LIBRARY)
    if addresses(origins) != {ObjectAddress(MESSAGES)}:
        found.discard(MESSAGES)  # to write there has no meaning, so it is something else that is written
    for key in sorted(found):
        alter(ctx, key)
