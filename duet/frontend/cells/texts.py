"""Strings that end: those of the library and of the arguments of `main`, and copies that the library makes of strings.

*Source*: C11 5.1.2.2.1 (arguments), 7.22.4.6 (`getenv`), 7.24.6.2 (`strerror`); POSIX for others and for `strdup`. All
strings of the library are one object of the heap that stands for several, of any size. Such memory holds strings for as
long as nothing but null characters is written to it. *Approximates*: under. Whatever may be written through any pointer
that may lead there makes all that an allocation has made, or all strings of the library, hold any characters.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from duet.frontend.cells.context import Context
from duet.frontend.ctypes.origins import ANYTHING, EXTERNAL, Content, Elsewhere, ObjectAddress, Origins, UntrackedParts
from duet.frontend.ctypes.types import VOID, ArrayType, VoidType
from duet.frontend.ctypes.values import Address, Direct, Indirect, Number, Object, Place, Value
from duet.frontend.judgments.marks import Mark

LIBRARY = "<strings>"
"""The key of the object that stands for all strings of the library."""
ARGUMENTS = "<arguments>"
"""The key of the array of pointers that `main` is given."""
OPTION = Elsewhere("optarg")
"""What `getopt` and its like have made `optarg` lead to."""
_ALTERED: Mark[str] = Mark("strings that may not end")
"""The mark of objects that began as strings and may hold anything by now."""


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
    return frozenset((of.origin,))


def note(ctx: Context, key: str) -> None:
    """Notes that an allocation makes an object with a string in it."""
    ctx.memory.texts.add(key)


def alter(ctx: Context, key: str) -> None:
    """Notes that an object may hold anything, from the start or from some time on."""
    if key in ctx.memory.texts:
        ctx.facts.mark(_ALTERED, key)


def is_altered(ctx: Context, key: str) -> bool:
    """Whether something else may be in an object than it began with, as far as strings and arguments are concerned."""
    return key in ctx.facts.marked(_ALTERED) or key in ctx.facts.objects.untracked


def is_text(ctx: Context, of: Object) -> bool:
    """Whether a string begins wherever a pointer to an object leads that was never moved."""
    return of.key in ctx.memory.texts and of.key != ARGUMENTS and not is_altered(ctx, of.key)


def argument_of_option(ctx: Context) -> Origins:
    """The origins of `optarg`: what functions like `getopt` have set it to, or the program itself."""
    return (
        ctx.facts.pointers.held(OPTION)
        | ctx.facts.pointers.held(UntrackedParts("optarg"))
        | {Content(OPTION), Content(UntrackedParts("optarg"))}
    )


@contextmanager
def kept(ctx: Context, is_kept: bool = True) -> Iterator[None]:
    """What is written inside leaves strings what they are, if that is so."""
    before, ctx.thread.keeps_texts = ctx.thread.keeps_texts, is_kept or ctx.thread.keeps_texts
    try:
        yield
    finally:
        ctx.thread.keeps_texts = before


def note_write(ctx: Context, place: Place | Value) -> None:
    """Notes that memory may be written: by its place, or anything around where a pointer points to."""
    match place:
        case Direct(of) | Address(Direct(of)):
            note_written(ctx, frozenset((of.origin,)))
        case Indirect(address, base) | Address(Indirect(address, base)):
            size = ctx.memory.types.size(base)
            note_written(ctx, address.origins, isinstance(base, VoidType) or size in (None, 1))
        case Number(origins=origins):
            note_written(ctx, origins)
        case _:
            return


def note_written(ctx: Context, origins: Origins, are_bytes: bool = True) -> None:
    """Notes that what an address with some origins leads to may be written, by characters or as bytes.

    Memory outside of the program may be strings of the library then; as something else than characters it is not.
    """
    if ctx.thread.keeps_texts or not ctx.memory.texts:
        return
    if ANYTHING in origins or not origins:
        found = set(ctx.memory.texts)
    else:
        found = {origin.key for origin in origins if isinstance(origin, ObjectAddress)} & ctx.memory.texts
        if EXTERNAL in origins and are_bytes and LIBRARY in ctx.memory.texts:
            found.add(LIBRARY)
    for key in sorted(found):
        alter(ctx, key)
