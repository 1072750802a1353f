"""Parts of places, and what pointers point to; `*&x` folds to `x`."""

from __future__ import annotations

from dataclasses import replace

from duet.errors import SourceError, Unsupported
from duet.frontend.cells import gate, hidden, rereads
from duet.frontend.cells.access import inside
from duet.frontend.cells.arithmetic import binary
from duet.frontend.cells.bounds import checked_as_whole, is_checked_as_whole
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number, snapshot
from duet.frontend.cells.foreign import note_foreign
from duet.frontend.cells.located import Initial, Key
from duet.frontend.cells.memory import LIBRARY_VARIABLES
from duet.frontend.cells.texts import note
from duet.frontend.cells.weak import perhaps_missing
from duet.frontend.ctypes import literals
from duet.frontend.ctypes.scope import Bound, Local
from duet.frontend.ctypes.types import (
    VOID,
    ArrayType,
    CType,
    FunctionType,
    IntType,
    OpaqueType,
    PointerType,
    StructType,
    VoidType,
    are_elements_alike,
    is_layout_compatible,
)
from duet.frontend.ctypes.values import (
    Address,
    Direct,
    FunctionPlace,
    Index,
    Indirect,
    Number,
    Object,
    Place,
    Temporary,
    Value,
    Whole,
    type_of,
)
from duet.frontend.form.tree import StringLiteral, Variable
from duet.frontend.judgments.identity import HANDLER
from duet.frontend.source.nodes import Node
from duet.plip.terms import constant

STATE = "__duet_state"
"""The only member of library objects of the bundled headers."""


def meaning(ctx: Context, symbol: Local | Object) -> Object | Bound | None:
    """What a variable is in the call that is lowered; None for a local that has not come into being."""
    if isinstance(symbol, Object):
        return _declared(ctx, symbol)
    if symbol.duration != "automatic":
        return ctx.declared.statics.get(symbol)
    return ctx.thread.frame.locals.get(symbol) if ctx.thread.frames else None


def _declared(ctx: Context, of: Object) -> Object:
    """An object of static storage as its definition has it; one that only a function declares is elsewhere."""
    known = ctx.memory.objects.get(of.key)
    if known is not None:
        return known
    ctx.memory.declare(of, None)
    ctx.declared.elsewhere.add(of.key)
    if ctx.memory.is_changed_elsewhere(of.key):
        ctx.facts.objects.untracked.add(of.key)
    return of


def variable(ctx: Context, form: Variable) -> Place:
    """The place of a variable."""
    found = meaning(ctx, form.symbol)
    match found:
        case Object():
            if found.key in ctx.declared.elsewhere and found.key not in ctx.declared.library | LIBRARY_VARIABLES:
                note_foreign(ctx)
            of = thread_local(ctx, found) if found.kind == "thread" and found.template is None else found
            name = form.symbol.name if isinstance(form.symbol, Local) else form.symbol.label
            return _as_declared(ctx, form.symbol, perhaps_missing(ctx, name, Direct(of, (), of.type)))
        case Bound(value):
            return value.place if isinstance(value, Whole) else Temporary(type_of(value))
        case None:
            assert isinstance(form.symbol, Local)
            name = form.symbol.name
            raise Unsupported(f"'{name}' is used before it comes into being", ctx.span(form.node))


def _as_declared(ctx: Context, symbol: Local | Object, place: Place) -> Place:
    """The place of a variable with the type that the file gives it which is lowered, not that of its definition."""
    if isinstance(symbol, Local) or are_elements_alike(symbol.type, place.type):
        return place
    return pointed(ctx, Address(place, PointerType(symbol.type)))


def thread_local(ctx: Context, of: Object) -> Object:
    """The current template's own copy of a thread-local variable.

    A handler runs in any thread: whose copy it means is not known, so that all of them may hold anything.
    """
    key = f"{ctx.thread.template}::{of.key}"
    if ctx.thread.template in ctx.facts.marked(HANDLER):
        ctx.facts.objects.untracked.add(of.key)
    if of.key in ctx.facts.objects.untracked:
        ctx.facts.objects.untracked.add(key)
        ctx.facts.mark(rereads.CHANGED_LATER, key)
    if key not in ctx.memory.objects:
        ctx.memory.declare(replace(of, key=key, template=ctx.thread.template), ctx.memory.initial[of.key])
    return ctx.memory.objects[key]


def member_of(ctx: Context, base: Place, name: str, node: Node) -> Place:
    """A member of a struct place."""
    if isinstance(base.type, OpaqueType):
        if name != STATE:
            _forget(ctx, base)
        return base
    if not isinstance(base.type, StructType):
        raise SourceError(f"'{name}' is a member of something that is no struct", ctx.span(node))
    found = ctx.memory.types.member(base.type, name)
    if found is None:
        raise SourceError(f"there is no member '{name}'", ctx.span(node))
    path, kind = found
    for step in path:
        base = inside(base, step, kind)
    return base


def _forget(ctx: Context, place: Place) -> None:
    """From the next round on the library objects that a place may mean are not tracked: one cell is not enough."""
    if isinstance(place, Direct):
        ctx.facts.objects.untracked.add(place.object.key)
    elif isinstance(place, Indirect):
        ctx.facts.objects.untracked.add(*(of.key for of in ctx.memory.pointed(place.address.origins)))


def element(ctx: Context, pointer: Value, index: Value, node: Node, is_access: bool) -> Place:
    """`pointer[index]`, in any order; without an access the index may also be the length."""
    if isinstance(pointer, Whole):  # of a vector
        hidden.take_apart(ctx, Address(pointer.place, PointerType(pointer.type)))
    if not isinstance(type_of(pointer), PointerType):
        pointer, index = number(ctx, index), pointer
    ctx.builder.flush()
    index = index if isinstance(index, Number) else snapshot(ctx, number(ctx, index))
    if node in ctx.fleeting or not is_checked_as_whole(ctx, pointer):
        return gate.element(ctx, pointed(ctx, binary(ctx, "+", pointer, index, node)), node, is_access)
    ctx.fleeting.add(node)  # for the check that follows; behind that it is a pointer like any other
    place = pointed(ctx, binary(ctx, "+", pointer, index, node))
    ctx.fleeting.discard(node)
    return checked_as_whole(ctx, place, node)


def pointed(ctx: Context, value: Value) -> Place:
    """What a pointer points to."""
    kind = type_of(value)
    target = kind.target if isinstance(kind, PointerType) else VOID
    if isinstance(value, Address):
        if isinstance(value.place, FunctionPlace | Temporary) or isinstance(target, FunctionType):
            return value.place
        found = _seen_as(ctx, value.place, target)
        if found is not None:
            is_typed = isinstance(target, IntType | PointerType) and not isinstance(found, FunctionPlace)
            return replace(found, type=target) if is_typed else found
    address = number(ctx, value)
    ctx.builder.flush()
    return Indirect(address, target, (), target)


def _seen_as(ctx: Context, place: Place, wanted: CType) -> Place | None:
    """The place as an object of another type that starts there; None where there is none."""
    while True:
        kind = place.type
        if kind == wanted or is_layout_compatible(kind, wanted, ctx.data) or isinstance(wanted, VoidType):
            return place
        match kind:
            case ArrayType(inner, length):
                place = inside(place, Index(constant(0), length), inner)
            case StructType(is_union=False) if ctx.memory.types.members(kind):
                first = ctx.memory.types.members(kind)[0]
                place = inside(place, first.name, first.type)
            case _:
                return None


def string(ctx: Context, form: StringLiteral) -> Place:
    """A string literal: one object for each place where it stands, though compilers may make one of them.

    One of unknown length stands for several, see `initial.Strings`.
    """
    name = f"{form.key}:{form.text}"
    found = ctx.memory.strings.get(name)
    if found is None:
        element_type, codes = literals.string(form.text, ctx.data)
        is_one = not isinstance(form.type, ArrayType) or form.type.length is not None
        kind = ArrayType(element_type, len(codes) + 1 if is_one else None)
        values: dict[Key, int] = {(at,): code for at, code in enumerate(codes) if code}
        key = f'"{len(ctx.memory.objects)}"'
        label = form.text if is_one else f"{form.text} and others"
        found = Object(key, kind, "global", None, label, ctx.span(form.node), is_const=True)
        ctx.memory.declare(found, Initial(values, {}) if is_one else None)
        ctx.memory.strings[name] = found
        if not is_one:
            note(ctx, key)
    return Direct(found, (), found.type)
